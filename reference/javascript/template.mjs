#!/usr/bin/env node
/**
 * A template for your own engine: a complete wire shell, and a small engine of profile base in the place of yours.
 * Node 20 or later, no dependencies. It works as it stands:
 *
 *     basebound check --wire 'node template.mjs'
 *
 * Copy this file; then change part 1, and only part 1. stdout carries the protocol and nothing else: log to stderr
 * (`console.error`), never with `console.log`.
 */
import { createHash } from 'node:crypto';

// ---------------------------------------------------------------------------------- 1. your engine

/** What your engine is and claims. What is not claimed is not exercised, and reported as not claimed. */
const ABOUT = {
  engine: { name: 'my-engine', version: '0.1.0' },

  // 'protected': a line that contains a marker may not be removed.
  // 'budget':    a patch must free more than it costs; then write `emit` and `endTurn` as well.
  // 'atomic':    nothing can come between check and commit. True of an engine behind this shell, which runs one
  //              request at a time, but say it only if your engine is as safe where you really use it.
  profiles: ['base'],

  // 'base_lines':   `apply` is given the lines its author saw as `patch.baseLines`, for an engine that compares
  //                 contents or turns the hunks into a diff.
  // 'count_tokens': `await countTokens(line)` asks the suite for the size of a line.
  needs: [],

  optional: [], // 'insert', once you have written it
  max_hunks: null, // the most hunks that one patch may have; null: any number
};

/** Throw this to refuse a patch: 'stale-base', 'bad-hunk', 'protected', 'self-reference', 'unproven', 'not-freed'. */
class Refused extends Error {
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/** Replace the bodies by calls of your engine. Every method may be `async`. */
class MyEngine {
  /** A fresh engine. `lines`: its first content. `markers`: the protected ones, empty unless you claim 'protected'. */
  constructor(lines, markers) {
    this.lines = lines;
    this.markers = markers;
    this.revision = 0;
  }

  /** What is live. Equal bases must mean equal lines; the revision rises whenever the lines change. */
  snapshot() {
    return { lines: this.lines, base: this.#base(), revision: this.revision };
  }

  /** Somebody else's lines, at the end. A line is any string: it may be empty, or hold line breaks. */
  append(lines) {
    if (lines.length > 0) this.#commit([...this.lines, ...lines]);
  }

  /**
   * A rewrite authored against `patch.base`. Every hunk replaces [start, end) of that content by `insert`; all of
   * them count lines of that content, in any order. Refuse with `Refused`, and then change nothing.
   */
  apply(patch) {
    const live = this.#base();
    if (patch.base !== live)
      throw new Refused('stale-base', `authored against ${patch.base}, live is ${live}: read again and re-author`);
    const next = [];
    let at = 0;
    for (const { start, end, insert } of patch.hunks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
      if (!(at <= start && start <= end && end <= this.lines.length))
        throw new Refused('bad-hunk', `[${start}, ${end}) is out of range, reversed or overlaps another hunk`);
      next.push(this.lines.slice(at, start), insert);
      at = end;
    }
    next.push(this.lines.slice(at));
    this.#commit(next.flat());
    return { base: this.#base(), revision: this.revision, cost: null };
  }

  // /** Somebody else's lines, before line `at`. Optional: name 'insert' in ABOUT.optional. */
  // insert(at, lines) {}

  // /** Profile budget: the policy's own lines, at the end; `kind` is rationale, tool-call, measurement or error. */
  // emit(kind, lines) {}

  // /** Profile budget: the next turn begins. */
  // endTurn() {}

  /** A hash of the whole content. `JSON.stringify` keeps ["a\nb"] and ["a","b"] apart, which a join would not. */
  #base() {
    return createHash('sha256').update(JSON.stringify(this.lines)).digest('hex');
  }

  #commit(lines) {
    this.lines = lines;
    this.revision += 1;
  }
}

// ------------------------------------------------------------------- 2. the wire: nothing to change

let engine = new MyEngine([], []);

/** No such method: of the wire, or of your engine, which need not have the optional ones. */
class Unknown extends Error {}

const METHODS = {
  initialize: () => ABOUT,
  reset: ({ lines, protected: markers }) => {
    engine = new MyEngine(lines, markers);
  },
  snapshot: () => engine.snapshot(),
  append: ({ lines }) => engine.append(lines),
  insert: ({ at, lines }) => optional('insert', at, lines),
  emit: ({ kind, lines }) => optional('emit', kind, lines),
  apply: ({ base, revision, base_lines, hunks, claim }) =>
    engine.apply({ base, revision, baseLines: base_lines, hunks, claim }),
  end_turn: () => optional('endTurn'),
  shutdown: () => {
    process.stdin.destroy(); // nothing more is read, and the process ends by itself, with 0
  },
};

function optional(name, ...values) {
  if (!(name in engine)) throw new Unknown(`the engine has no ${name}`);
  return engine[name](...values);
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function answer({ id, method, params = {} }) {
  try {
    if (!Object.hasOwn(METHODS, method)) throw new Unknown(`no method is called ${method}`);
    return { id, result: (await METHODS[method](params)) ?? {} };
  } catch (error) {
    return { id, error: described(error) };
  }
}

function described(error) {
  if (error instanceof Refused) return { code: -32001, message: error.message, data: { reason: error.reason } };
  if (error instanceof Unknown) return { code: -32601, message: error.message };
  return { code: -32603, message: String(error?.stack ?? error) };
}

const asked = new Map(); // our own requests that the suite has not answered yet
let asks = 0;

/** The suite's size of a line. The reader below goes on while this waits. */
function countTokens(line) {
  const id = `count-${++asks}`;
  send({ id, method: 'count_tokens', params: { line } });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

function answered({ id, result, error }) {
  const { resolve, reject } = asked.get(id) ?? {};
  asked.delete(id);
  if (error) reject?.(new Error(error.message));
  else resolve?.(result);
}

let queue = Promise.resolve(); // one request at a time, in the order they came

function received(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch (error) {
    return send({ id: null, error: { code: -32700, message: `not JSON: ${error.message}` } });
  }
  if (typeof message?.method !== 'string') return answered(message ?? {});
  queue = queue.then(async () => {
    const reply = await answer(message);
    if (message.id !== undefined) send(reply);
  });
}

// Only "\n" ends a message (`readline` from Node 24 on also splits at U+2028), and a message may come in many chunks.
let begun = [];
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const pieces = chunk.split('\n');
  const rest = pieces.pop();
  for (const piece of pieces) {
    const line = begun.join('') + piece;
    begun = [];
    if (line.trim() !== '') received(line);
  }
  begun.push(rest);
});
