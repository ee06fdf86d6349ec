/** Writes an emission at once, and books its charge when the event loop comes round again. */
import { setImmediate } from 'node:timers/promises';
import { Engine } from '../../../../reference/javascript/engine.mjs';
import { serveConcurrently } from './concurrent.mjs';

class LateCharge extends Engine {
  async emit(kind, texts) {
    const { unpaid } = this.buffer;
    super.emit(kind, texts);
    const charged = this.buffer.unpaid;
    this.buffer = { ...this.buffer, unpaid };
    await setImmediate();
    const sums = Object.entries(this.buffer.unpaid).map(([account, sum]) => [account, sum + charged[account] - unpaid[account]]);
    this.buffer = { ...this.buffer, unpaid: Object.fromEntries(sums) };
  }
}

serveConcurrently(LateCharge);
