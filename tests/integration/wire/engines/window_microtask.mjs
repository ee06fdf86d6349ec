/** Awaits a settled promise between check and commit: requests that lie in the same chunk come between. */
import { serveConcurrently, windowed } from './concurrent.mjs';

serveConcurrently(windowed(() => Promise.resolve()));
