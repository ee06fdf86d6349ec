/** Sorts the hunks with `sort()`, which compares as text: 10 comes before 9, and their order looks like an overlap. */
import { Engine, Refused, serve, session } from '../../../../reference/javascript/engine.mjs';

class TextSort extends Engine {
  apply(patch) {
    let free = 0;
    for (const [start, end] of patch.hunks.map(({ start, end }) => [start, end]).sort()) {
      const stale = patch.base !== this.rules.base(this.buffer.lines);
      if (start < free && !stale) throw new Refused('bad-hunk', `[${start}, ${end}) begins before ${free}`);
      free = end;
    }
    return super.apply(patch);
  }
}

await serve(session(TextSort));
