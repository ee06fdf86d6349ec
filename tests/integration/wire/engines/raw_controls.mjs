/** Writes JSON by hand, and escapes only quotes, backslashes and line breaks: a tab stands raw in its strings. */
import { serve, session, stdin } from '../../../../reference/javascript/engine.mjs';

const unescaped = (json) => json.replaceAll(/(?<!\\)((?:\\\\)*)\\t/g, '$1\t');

await serve(session(), stdin(), { write: (line) => process.stdout.write(unescaped(line)) });
