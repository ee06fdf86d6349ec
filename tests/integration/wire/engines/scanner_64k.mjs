/** Reads lines with a scanner whose longest token is 64 KiB, and takes its giving up for the end of the input. */
import { serve, session, stdin } from '../../../../reference/javascript/engine.mjs';

async function* scanned() {
  for await (const line of stdin()) {
    if (Buffer.byteLength(line) >= 65_536) return;
    yield line;
  }
}

await serve(session(), scanned());
