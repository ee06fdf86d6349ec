/** An engine that changes every line on its way in: what a fault of encoding, storing or reading does to text. */
import { Engine } from '../../../../reference/javascript/engine.mjs';

export const mangling = (change) =>
  class extends Engine {
    constructor(texts, markers) {
      super(texts.map(change), markers);
    }
    append(texts) {
      super.append(texts.map(change));
    }
    insert(at, texts) {
      super.insert(at, texts.map(change));
    }
    emit(kind, texts) {
      super.emit(kind, texts.map(change));
    }
    apply(patch) {
      const hunks = patch.hunks.map((hunk) => ({ ...hunk, insert: hunk.insert.map(change) }));
      return super.apply({ ...patch, hunks });
    }
  };
