/** Puts text in its place with `String.replace`, which gives `$&` and `$$` in it a meaning. */
import { serve, session } from '../../../../reference/javascript/engine.mjs';
import { mangling } from './mangling.mjs';

await serve(session(mangling((text) => '\u0000'.replace('\u0000', text))));
