/** Yields to the event loop between check and commit. */
import { setImmediate } from 'node:timers/promises';
import { serveConcurrently, windowed } from './concurrent.mjs';

serveConcurrently(windowed(() => setImmediate()));
