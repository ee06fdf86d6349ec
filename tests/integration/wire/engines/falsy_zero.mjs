/** Fills in a missing end with `||`, which takes 0 for missing: an insertion at the top replaces everything. */
import { Engine, serve, session } from '../../../../reference/javascript/engine.mjs';

class FalsyZero extends Engine {
  apply(patch) {
    const hunks = patch.hunks.map((hunk) => ({ ...hunk, end: hunk.end || this.buffer.lines.length }));
    return super.apply({ ...patch, hunks });
  }
}

await serve(session(FalsyZero));
