#!/usr/bin/env node
// Runs every trace of a folder on an engine of the wire:  node run-traces.mjs FOLDER COMMAND [ARGUMENT ...]
// A line per trace, then `N passed, N failed`; exits 0 if some passed and none failed. Node 20 or later, nothing else.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const [folder, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const open = new Map(); // id -> what to do with its answer
let [asked, rest] = [0, ''];
const send = (message) =>
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, (error) => error && ended());
const ask = (method, params = {}) => new Promise((done) => {
  setTimeout(done, 10_000, { error: { message: `no answer to ${method} within 10 s` } });
  open.set(++asked, done);
  send({ id: asked, method, params });
});
const ended = () => open.forEach((done) => done({ error: { message: 'the engine has ended' } }));
child.on('error', ended).on('close', ended).stdin.on('error', ended);
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n'); // not `readline`: from Node 24 on it splits at U+2028
  rest = lines.pop();
  for (const { id, method, params, ...answer } of lines.filter((line) => line.trim()).map((line) => JSON.parse(line)))
    if (method === 'count_tokens') send({ id, result: Buffer.byteLength(params.line) + 1 });
    else open.get(id)?.(answer);
});
const { result: about = { profiles: [], needs: [] } } = await ask('initialize', { protocol: '1', meter: 'utf8-bytes' });
const claims = (name) => about.profiles.includes(name);
const fits = ({ profiles = ['base'], unless = [], meter }, steps) =>
  profiles.every(claims) && !unless.some(claims) && meter === 'utf8-bytes' && steps.every(({ op, hunks }) =>
    op !== 'gate' && (op !== 'insert' || about.optional?.includes(op)) && !(hunks?.length > (about.max_hunks ?? 1e9)));
async function wrong({ op, as, base, hunks, claim = null, expect, ...params }, read) {
  if (op === 'apply') {
    const { lines, ...patch } = { ...read[base], claim, hunks: hunks.map((hunk) => ({ insert: [], ...hunk })) };
    const { error } = await ask(op, about.needs.includes('base_lines') ? { ...patch, base_lines: lines } : patch);
    const saw = error ? (error.data?.reason ?? error.message) : 'applied';
    return saw === (expect ?? saw) ? '' : `expected ${expect}, saw ${saw}`;
  }
  const { result, error } = await (op === 'expect' ? ask('snapshot') : ask(op, params));
  if (op === 'snapshot') read[as] = result;
  if (error || op !== 'expect') return error?.message;
  const [longer, other] = [params.lines, result.lines].sort((a, b) => b.length - a.length);
  const at = longer.findIndex((line, n) => line !== other[n]);
  return at >= 0 && `line ${at}: expected ${JSON.stringify(params.lines[at])}, saw ${JSON.stringify(result.lines[at])}`;
}

const count = { passed: 0, FAILED: 0, skipped: 0 };
for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson')).sort()) {
  const rows = readFileSync(`${folder}/${file}`, 'utf8').split('\n').filter((row) => row.trim());
  const [[header, ...steps], read] = [rows.map((row) => JSON.parse(row)), {}];
  let why = (await ask('reset', { lines: [], protected: [], ...header.config })).error?.message;
  let n = 0;
  while (n < steps.length && !why && fits(header, steps)) why = await wrong(steps[n++], read);
  const word = why ? 'FAILED' : fits(header, steps) ? 'passed' : 'skipped';
  count[word] += 1;
  console.log(`${word}  ${file}${why ? `  step ${n}: ${why}` : ''}`);
}
console.log(`${count.passed} passed, ${count.FAILED} failed${count.skipped ? `, ${count.skipped} skipped` : ''}`);
child.kill();
process.exit(count.passed && !count.FAILED ? 0 : 1);
