/** A refused patch leaves the queue of operations broken: whatever comes later is answered with the same refusal. */
import { OneAtATime, serveConcurrently } from './concurrent.mjs';

class KeptLock extends OneAtATime {
  alone(work) {
    this.last = this.last.then(work);
    return this.last;
  }
}

serveConcurrently(KeptLock);
