/** Counts UTF-16 code units: `length` of a JavaScript string is not its size in bytes. */
import { Engine, RULES, serve, session } from '../../../../reference/javascript/engine.mjs';

class Utf16Meter extends Engine {
  static rules = { ...RULES, meter: (text) => text.length + 1 };
}

await serve(session(Utf16Meter));
