/** Correct: has the suite count, then checks and commits in one step, however long the counting took. */
import { Metered, serveConcurrently } from './concurrent.mjs';

serveConcurrently(Metered);
