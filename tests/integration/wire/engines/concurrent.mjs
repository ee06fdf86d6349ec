/** A shell for engines whose methods are async: every request runs on its own, and reading goes on meanwhile. */
import { Engine, failed, session, success } from '../../../../reference/javascript/engine.mjs';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const asked = new Map();

/** The suite's size of a line. */
export function countTokens(line) {
  const id = `count-${asked.size + 1}`;
  send({ id, method: 'count_tokens', params: { line } });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

export function answered({ id, result, error }) {
  const { resolve, reject } = asked.get(id);
  if (error) reject(new Error(error.message));
  else resolve(result);
}

export async function respond(methods, { id, method, params }) {
  try {
    send(success(id, await methods[method](params)));
  } catch (error) {
    send(failed(id, error));
  }
}

/** Calls `received` with every message, all those of one chunk in one go. */
export function reading(received) {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    lines.map((line) => JSON.parse(line)).forEach(received);
  });
}

export function serveConcurrently(EngineClass) {
  const methods = session(EngineClass);
  reading((message) => {
    if (message.method === undefined) answered(message);
    else respond(methods, message);
    if (message.method === 'shutdown') process.stdin.destroy();
  });
}

/** Checks the base, lets `pause` go by, and commits to whatever is live then. */
export const windowed = (pause) =>
  class extends Engine {
    async apply(patch) {
      const copy = new Engine([], []);
      copy.buffer = this.buffer;
      copy.apply(patch);
      await pause();
      return super.apply({ ...patch, base: this.rules.base(this.buffer.lines) });
    }
  };

/** Has the suite count, and only then looks at the buffer: check and commit are one step. */
export class Metered extends Engine {
  static about = { ...Engine.about, needs: ['count_tokens'] };

  async emit(kind, texts) {
    this.rules = { ...this.rules, meter: await sizes(texts) };
    super.emit(kind, texts);
  }

  async apply(patch) {
    this.rules = { ...this.rules, meter: await this.sizesOf(patch) };
    return super.apply(patch);
  }

  sizesOf({ hunks }) {
    const { lines } = this.buffer;
    const removed = hunks.flatMap(({ start, end }) => lines.slice(Math.max(start, 0), Math.max(end, 0)));
    return sizes([...removed.map(({ text }) => text), ...hunks.flatMap(({ insert }) => insert)]);
  }
}

/** The same under a lock that every operation takes. */
export class OneAtATime extends Metered {
  last = Promise.resolve();

  snapshot() {
    return this.alone(() => super.snapshot());
  }
  append(texts) {
    return this.alone(() => super.append(texts));
  }
  insert(at, texts) {
    return this.alone(() => super.insert(at, texts));
  }
  emit(kind, texts) {
    return this.alone(() => super.emit(kind, texts));
  }
  apply(patch) {
    return this.alone(() => this.rewrite(patch));
  }
  endTurn() {
    return this.alone(() => super.endTurn());
  }

  rewrite(patch) {
    return super.apply(patch);
  }

  alone(work) {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }
}

async function sizes(texts) {
  const counted = new Map();
  for (const text of texts) counted.set(text, await countTokens(text));
  return (text) => counted.get(text);
}
