/** Has room for a mebibyte a line; the rest is dropped without a word. */
import { serve, session } from '../../../../reference/javascript/engine.mjs';
import { mangling } from './mangling.mjs';

await serve(session(mangling((text) => text.slice(0, 2 ** 20))));
