/** Appends by reading the buffer, waiting, and writing it back: what came in between is lost. */
import { setImmediate } from 'node:timers/promises';
import { Engine } from '../../../../reference/javascript/engine.mjs';
import { serveConcurrently } from './concurrent.mjs';

class LostAppend extends Engine {
  async append(texts) {
    const longer = new Engine([], []);
    longer.buffer = this.buffer;
    longer.append(texts);
    await setImmediate();
    this.buffer = { ...longer.buffer, revision: this.buffer.revision + 1 };
  }
}

serveConcurrently(LostAppend);
