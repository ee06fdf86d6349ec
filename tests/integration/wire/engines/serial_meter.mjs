/** Needs the suite's meter, and reads its answer only when the request that waits for it is done: never. */
import { session, stdin } from '../../../../reference/javascript/engine.mjs';
import { answered, Metered, respond } from './concurrent.mjs';

const methods = session(Metered);
for await (const line of stdin()) {
  const message = JSON.parse(line);
  if (message.method === undefined) answered(message);
  else await respond(methods, message);
  if (message.method === 'shutdown') break;
}
