/** Keeps each line as the inside of a JSON string and escapes it again on the way out: quotes multiply. */
import { serve, session } from '../../../../reference/javascript/engine.mjs';
import { mangling } from './mangling.mjs';

await serve(session(mangling((text) => JSON.stringify(text).slice(1, -1))));
