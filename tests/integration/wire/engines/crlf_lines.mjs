/** Believes in text files: takes a carriage return at the end of a line for a part of the line break. */
import { serve, session } from '../../../../reference/javascript/engine.mjs';
import { mangling } from './mangling.mjs';

await serve(session(mangling((text) => text.replace(/\r$/, ''))));
