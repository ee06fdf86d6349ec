/** Correct: has the suite count under a lock that every operation takes. */
import { Metered, serveConcurrently } from './concurrent.mjs';

class MutexMeter extends Metered {
  #last = Promise.resolve();

  snapshot() {
    return this.#alone(() => super.snapshot());
  }
  append(texts) {
    return this.#alone(() => super.append(texts));
  }
  insert(at, texts) {
    return this.#alone(() => super.insert(at, texts));
  }
  emit(kind, texts) {
    return this.#alone(() => super.emit(kind, texts));
  }
  apply(patch) {
    return this.#alone(() => super.apply(patch));
  }
  endTurn() {
    return this.#alone(() => super.endTurn());
  }

  #alone(work) {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

serveConcurrently(MutexMeter);
