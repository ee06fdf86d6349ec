/** Counts millionths of a token in a 32-bit integer: from 2,148 tokens on, a line is negative. */
import { Engine, RULES, serve, session } from '../../../../reference/javascript/engine.mjs';

class I32Meter extends Engine {
  static rules = { ...RULES, meter: (text) => ((RULES.meter(text) * 1_000_000) | 0) / 1_000_000 };
}

await serve(session(I32Meter));
