/** Reads and writes Latin-1: UTF-8 passes through as it came, but what is not ASCII is counted twice over. */
import { messages, serve, session } from '../../../../reference/javascript/engine.mjs';

const output = { write: (line) => process.stdout.write(line, 'latin1') };

await serve(session(), messages(process.stdin.setEncoding('latin1')), output);
