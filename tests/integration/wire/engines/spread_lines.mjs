/** Appends with `push(...lines)`: every line becomes an argument, and some hundred thousand overflow the stack. */
import { Engine, serve, session } from '../../../../reference/javascript/engine.mjs';

class SpreadLines extends Engine {
  append(texts) {
    [].push(...texts);
    super.append(texts);
  }
}

await serve(session(SpreadLines));
