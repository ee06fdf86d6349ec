#!/usr/bin/env node
/**
 * The reference engine in JavaScript: profiles base, protected, budget and atomic, with `insert`.
 *
 *     basebound check --wire 'node engine.mjs'
 *
 * First the pure core: values in, values out; a rewrite is decided whole before anything changes.
 * Then the shell: it holds the one mutable value and speaks JSON-RPC 2.0, one message a line.
 * Node 20.11 or later, no dependencies.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';

// ------------------------------------------------------------------------------------------- the core
// A buffer is a value: { lines, markers, revision, turn, unpaid }. A line of it is { text, turn }, where
// `turn` is the turn in which the policy itself emitted the line, or null: a mark that moves with its line.

/** A refusal: typed, loud, and nothing has changed. */
export class Refused extends Error {
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

const NOTHING_UNPAID = Object.freeze({ rewrite: 0, measurement: 0 });
const KINDS = ['rationale', 'tool-call', 'measurement', 'error'];

/** What can be exchanged without touching the rest: the meter, the base and the net. */
export const RULES = Object.freeze({
  meter: (text) => Buffer.byteLength(text, 'utf8') + 1,

  /** Each line's length goes before it, so that no two contents are hashed from the same bytes. */
  base(lines) {
    const hash = createHash('sha256');
    for (const { text } of lines) hash.update(`${Buffer.byteLength(text, 'utf8')}:`).update(text);
    return hash.digest('hex');
  },

  net: ({ freed, rewrite, measurement }) => freed - rewrite - measurement,
});

export function newBuffer(texts, markers) {
  return { lines: foreign(texts), markers, revision: 0, turn: 0, unpaid: NOTHING_UNPAID };
}

/** A foreign write: never charged, never an artifact. */
export function written(buffer, at, texts) {
  if (texts.length === 0) return buffer;
  const lines = [...buffer.lines.slice(0, at), ...foreign(texts), ...buffer.lines.slice(at)];
  return { ...buffer, lines, revision: buffer.revision + 1 };
}

/** The policy's own tokens: at the end of the buffer, charged, and marked with the turn. */
export function emitted(buffer, kind, texts, rules = RULES) {
  if (texts.length === 0) return buffer;
  const account = kind === 'measurement' ? 'measurement' : 'rewrite';
  const unpaid = { ...buffer.unpaid, [account]: buffer.unpaid[account] + sizeOf(texts, rules) };
  const lines = [...buffer.lines, ...texts.map((text) => ({ text, turn: buffer.turn }))];
  return { ...buffer, lines, unpaid, revision: buffer.revision + 1 };
}

/** The next turn: what was emitted becomes ordinary lines, what is unpaid is dropped. */
export function turned(buffer) {
  return { ...buffer, turn: buffer.turn + 1, unpaid: NOTHING_UNPAID };
}

/** The buffer after `patch` and what it cost; throws `Refused`, stale-base before every other reason. */
export function rewritten(buffer, patch, rules = RULES) {
  refuseStale(buffer, patch, rules);
  const hunks = inOrder(patch.hunks, buffer.lines.length);
  const removed = hunks.flatMap(({ start, end }) => buffer.lines.slice(start, end));
  refuseProtected(removed, buffer.markers);
  refuseArtifacts(removed, buffer.turn);
  refuseUnattributed(patch.claim);
  const cost = {
    freed: sizeOf(removed.map(({ text }) => text), rules),
    rewrite: sizeOf(hunks.flatMap(({ insert }) => insert), rules) + buffer.unpaid.rewrite,
    measurement: buffer.unpaid.measurement,
  };
  refuseLoss(cost, rules);
  const lines = spliced(buffer.lines, hunks);
  return { buffer: { ...buffer, lines, revision: buffer.revision + 1, unpaid: NOTHING_UNPAID }, cost };
}

const foreign = (texts) => texts.map((text) => ({ text, turn: null }));

const sizeOf = (texts, rules) => texts.reduce((sum, text) => sum + rules.meter(text), 0);

function refuseStale(buffer, patch, rules) {
  const live = rules.base(buffer.lines);
  if (patch.base === live) return;
  const authored = `base ${patch.base.slice(0, 8)} (revision ${patch.revision})`;
  const now = `base ${live.slice(0, 8)} (revision ${buffer.revision})`;
  throw new Refused('stale-base', `authored against ${authored}, live is ${now}: read again and re-author`);
}

/** The hunks by (start, end), then as given (the sort is stable); none begins before the one before it has ended. */
function inOrder(hunks, length) {
  const sorted = hunks.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let free = 0;
  for (const { start, end } of sorted) {
    if (!(0 <= start && start <= end && end <= length))
      throw new Refused('bad-hunk', `[${start}, ${end}) is not a range of ${length} lines`);
    if (start < free) throw new Refused('bad-hunk', `[${start}, ${end}) begins inside a hunk that ends at ${free}`);
    free = end;
  }
  return sorted;
}

function spliced(lines, hunks) {
  const parts = [];
  let at = 0;
  for (const { start, end, insert } of hunks) {
    parts.push(lines.slice(at, start), foreign(insert));
    at = end;
  }
  parts.push(lines.slice(at));
  return parts.flat();
}

function refuseProtected(removed, markers) {
  const line = removed.find(({ text }) => markers.some((marker) => text.includes(marker)));
  if (line) throw new Refused('protected', `the line ${JSON.stringify(line.text)} holds a protected marker`);
}

function refuseArtifacts(removed, turn) {
  const line = removed.find(({ turn: emittedIn }) => emittedIn === turn);
  if (line) throw new Refused('self-reference', `the line ${JSON.stringify(line.text)} was emitted in this very turn`);
}

/** A claim's figures are never used; but unknown is not zero, and a negative cost is a gain in disguise. */
function refuseUnattributed(claim) {
  if (claim === null) return;
  for (const part of ['freed', 'rewrite', 'measurement']) {
    if (claim[part] === null) throw new Refused('unproven', `the claim does not attribute ${part}`);
    if (claim[part] < 0) throw new Refused('unproven', `the claim's ${part} is negative`);
  }
}

function refuseLoss(cost, rules) {
  const net = rules.net(cost);
  if (net > 0) return;
  const sum = `frees ${cost.freed}, rewrite costs ${cost.rewrite}, measurement ${cost.measurement}: net ${net}`;
  throw new Refused('not-freed', `${sum}; it must be above zero`);
}

// ------------------------------------------------------------------------------------------ the shell

/** Holds the live buffer. Every method runs to its end before the next message is looked at: nothing comes between. */
export class Engine {
  static about = {
    engine: { name: 'basebound-reference-javascript', version: '1.0.0' },
    profiles: ['base', 'protected', 'budget', 'atomic'],
    needs: [],
    optional: ['insert'],
    max_hunks: null,
  };

  static rules = RULES;

  constructor(texts, markers) {
    this.rules = this.constructor.rules;
    this.buffer = newBuffer(texts, markers);
  }

  snapshot() {
    const { lines, revision } = this.buffer;
    return { lines: lines.map(({ text }) => text), base: this.rules.base(lines), revision };
  }

  append(texts) {
    this.buffer = written(this.buffer, this.buffer.lines.length, texts);
  }

  insert(at, texts) {
    const { length } = this.buffer.lines;
    if (at < 0 || at > length) throw new Invalid(`at ${at}: there are ${length} lines`);
    this.buffer = written(this.buffer, at, texts);
  }

  emit(kind, texts) {
    this.buffer = emitted(this.buffer, kind, texts, this.rules);
  }

  apply(patch) {
    const { buffer, cost } = rewritten(this.buffer, patch, this.rules);
    this.buffer = buffer;
    return { base: this.rules.base(buffer.lines), revision: buffer.revision, cost };
  }

  endTurn() {
    this.buffer = turned(this.buffer);
  }
}

/** The caller's parameters are not of the declared shape. */
export class Invalid extends Error {}

/** The methods of the wire, each reading its parameters and calling the engine of the session. */
export function session(EngineClass = Engine) {
  let engine = new EngineClass([], []);
  return {
    initialize({ protocol, meter }) {
      if (protocol !== '1') throw new Invalid(`protocol ${JSON.stringify(protocol)}: this engine speaks "1"`);
      if (meter !== 'utf8-bytes') throw new Invalid(`meter ${JSON.stringify(meter)}: this engine counts "utf8-bytes"`);
      return EngineClass.about;
    },
    reset(params) {
      engine = new EngineClass(texts(params.lines), texts(params.protected));
    },
    snapshot: () => engine.snapshot(),
    append: ({ lines }) => engine.append(texts(lines)),
    insert: ({ at, lines }) => engine.insert(integer(at), texts(lines)),
    emit: ({ kind, lines }) => engine.emit(emissionKind(kind), texts(lines)),
    apply: (params) => engine.apply(patchOf(params)),
    end_turn: () => engine.endTurn(),
    shutdown: () => {},
  };
}

function patchOf({ base, revision, hunks, claim = null }) {
  return {
    base: text(base),
    revision: integer(revision),
    hunks: list(hunks).map((hunk) => hunkOf(object(hunk))),
    claim: claim === null ? null : claimOf(object(claim)),
  };
}

function hunkOf({ start, end, insert }) {
  return { start: integer(start), end: integer(end), insert: texts(insert) };
}

function claimOf({ freed = null, rewrite = null, measurement = null }) {
  return { freed: amount(freed), rewrite: amount(rewrite), measurement: amount(measurement) };
}

const amount = (value) => (value === null ? null : integer(value));

function integer(value) {
  if (!Number.isInteger(value)) throw new Invalid(`${JSON.stringify(value)} is not a whole number`);
  return value;
}

function text(value) {
  if (typeof value !== 'string') throw new Invalid(`${JSON.stringify(value)} is not a string`);
  // Half a surrogate pair has no UTF-8: two such lines would be hashed from the same bytes.
  if (!value.isWellFormed()) throw new Invalid(`${JSON.stringify(value)} does not encode to UTF-8`);
  return value;
}

function object(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Invalid(`${JSON.stringify(value)} is not an object`);
  return value;
}

function list(value) {
  if (!Array.isArray(value)) throw new Invalid(`${JSON.stringify(value)} is not an array`);
  return value;
}

const texts = (value) => list(value).map(text);

function emissionKind(value) {
  if (!KINDS.includes(value)) throw new Invalid(`${JSON.stringify(value)} is not one of ${KINDS.join(', ')}`);
  return value;
}

/** The answer to one message, or undefined where none is due (a notification). */
export function answer(methods, message) {
  if (typeof message?.method !== 'string') return failure(message?.id ?? null, -32600, 'not a request');
  const { id, method, params = {} } = message;
  let reply;
  if (Object.hasOwn(methods, method)) {
    try {
      reply = success(id, methods[method](object(params)));
    } catch (error) {
      reply = failed(id, error);
    }
  } else reply = failure(id, -32601, `no method is called ${JSON.stringify(method)}`);
  return id === undefined ? undefined : reply;
}

export const success = (id, result) => ({ jsonrpc: '2.0', id, result: result ?? {} });

export function failed(id, error) {
  if (error instanceof Refused) return failure(id, -32001, error.message, { reason: error.reason });
  if (error instanceof Invalid) return failure(id, -32602, error.message);
  return failure(id, -32603, String(error));
}

const failure = (id, code, message, data) => ({ jsonrpc: '2.0', id, error: { code, message, data } });

/** The messages of a stream of text. Only "\n" ends one; `readline` from Node 24 on would also split at U+2028. */
export async function* messages(chunks) {
  let begun = [];
  for await (const chunk of chunks) {
    const pieces = chunk.split('\n');
    const rest = pieces.pop();
    for (const piece of pieces) {
      yield begun.join('') + piece;
      begun = [];
    }
    begun.push(rest);
  }
}

/** stdin as text; the decoder keeps what a chunk holds of a character until the rest of it comes. */
export const stdin = () => messages(process.stdin.setEncoding('utf8'));

/** Answers every message until `shutdown` or the end of the input; then the process ends by itself, with 0. */
export async function serve(methods, lines = stdin(), output = process.stdout) {
  const send = (reply) => output.write(`${JSON.stringify(reply)}\n`);
  for await (const line of lines) {
    if (line.trim() === '') continue;
    let message;
    try {
      message = JSON.parse(line);
    } catch (error) {
      send(failure(null, -32700, `not JSON: ${error.message}`));
      continue;
    }
    const reply = answer(methods, message);
    if (reply) send(reply);
    if (message?.method === 'shutdown') break;
  }
}

if (import.meta.filename === realpathSync(process.argv[1])) await serve(session());
