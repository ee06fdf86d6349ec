/** Subtracts as unsigned numbers: a loss wraps around to a huge gain. */
import { Engine, RULES, serve, session } from '../../../../reference/javascript/engine.mjs';

class UnsignedNet extends Engine {
  static rules = { ...RULES, net: (cost) => RULES.net(cost) >>> 0 };
}

await serve(session(UnsignedNet));
