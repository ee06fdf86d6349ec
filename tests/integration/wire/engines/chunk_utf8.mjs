/** Decodes each chunk for itself: a character that lies across two of them comes out as U+FFFD. */
import { messages, serve, session } from '../../../../reference/javascript/engine.mjs';

async function* decoded(chunks) {
  for await (const chunk of chunks) yield chunk.toString('utf8');
}

await serve(session(), messages(decoded(process.stdin)));
