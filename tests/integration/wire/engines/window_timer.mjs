/** Waits for a millisecond between check and commit. */
import { setTimeout } from 'node:timers/promises';
import { serveConcurrently, windowed } from './concurrent.mjs';

serveConcurrently(windowed(() => setTimeout(1)));
