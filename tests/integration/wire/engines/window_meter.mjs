/** Checks the base, has the suite count, and does not check again before it commits. */
import { Engine } from '../../../../reference/javascript/engine.mjs';
import { Metered, serveConcurrently } from './concurrent.mjs';

class WindowMeter extends Metered {
  async apply(patch) {
    const live = () => this.rules.base(this.buffer.lines);
    const fresh = patch.base === live();
    this.rules = { ...this.rules, meter: await this.sizesOf(patch) };
    return Engine.prototype.apply.call(this, fresh ? { ...patch, base: live() } : patch);
  }
}

serveConcurrently(WindowMeter);
