/** Stores a line UTF-16 unit by UTF-16 unit: half a surrogate pair has no UTF-8, and an emoji becomes two U+FFFD. */
import { serve, session } from '../../../../reference/javascript/engine.mjs';
import { mangling } from './mangling.mjs';

const stored = (text) => Buffer.concat(text.split('').map((unit) => Buffer.from(unit))).toString();

await serve(session(mangling(stored)));
