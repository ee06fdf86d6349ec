/** Keeps its lines in an object by id: number-like keys are enumerated in ascending order, not as they were put. */
import { Engine, serve, session } from '../../../../reference/javascript/engine.mjs';

class IdObject extends Engine {
  #ids = new Map();

  constructor(texts, markers) {
    super(texts, markers);
    this.#shelve();
  }

  append(texts) {
    super.append(texts);
    this.#shelve();
  }

  emit(kind, texts) {
    super.emit(kind, texts);
    this.#shelve();
  }

  apply(patch) {
    const receipt = super.apply(patch);
    this.#shelve();
    return { ...receipt, base: this.rules.base(this.buffer.lines) };
  }

  insert(at, texts) {
    super.insert(at, texts);
    this.#shelve();
  }

  #shelve() {
    const shelf = {};
    for (const line of this.buffer.lines) {
      if (!this.#ids.has(line)) this.#ids.set(line, this.#ids.size);
      shelf[this.#ids.get(line)] = line;
    }
    this.buffer = { ...this.buffer, lines: Object.values(shelf) };
  }
}

await serve(session(IdObject));
