/** Keeps its books in tenths, as floats: 0.1 + 0.2 is more than 0.3, so a net of nothing looks like a gain. */
import { Engine, RULES, serve, session } from '../../../../reference/javascript/engine.mjs';

class FloatLedger extends Engine {
  static rules = { ...RULES, meter: (text) => RULES.meter(text) / 10 };

  apply(patch) {
    const { cost, ...receipt } = super.apply(patch);
    const whole = Object.entries(cost).map(([part, tenths]) => [part, Math.round(tenths * 10)]);
    return { ...receipt, cost: Object.fromEntries(whole) };
  }
}

await serve(session(FloatLedger));
