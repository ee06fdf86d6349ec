/** Puts the new lines in place before it has them counted; where the count fails, they stay under the old revision. */
import { rewritten } from '../../../../reference/javascript/engine.mjs';
import { OneAtATime, serveConcurrently } from './concurrent.mjs';

class HalfCommit extends OneAtATime {
  async rewrite(patch) {
    const before = this.buffer;
    const { buffer, cost } = rewritten(before, patch);
    this.buffer = { ...buffer, revision: before.revision };
    await this.sizesOf(patch);
    this.buffer = buffer;
    return { base: this.rules.base(buffer.lines), revision: buffer.revision, cost };
  }
}

serveConcurrently(HalfCommit);
