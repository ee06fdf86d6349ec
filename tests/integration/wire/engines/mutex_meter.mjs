/** Correct: has the suite count under a lock that every operation takes. */
import { OneAtATime, serveConcurrently } from './concurrent.mjs';

serveConcurrently(OneAtATime);
