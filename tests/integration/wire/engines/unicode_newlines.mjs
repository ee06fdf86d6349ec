/** Ends a message at every Unicode line break, as `readline` does from Node 24 on: JSON may hold U+2028 unescaped. */
import { serve, session, stdin } from '../../../../reference/javascript/engine.mjs';

async function* split() {
  for await (const line of stdin()) yield* line.split(/\r(?!\n)|\u2028|\u2029/);
}

await serve(session(), split());
