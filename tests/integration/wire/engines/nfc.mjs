/** Normalises Unicode on the way in. */
import { serve, session } from '../../../../reference/javascript/engine.mjs';
import { mangling } from './mangling.mjs';

await serve(session(mangling((text) => text.normalize('NFC'))));
