/** Reads a file between check and commit. */
import { readFile } from 'node:fs/promises';
import { serveConcurrently, windowed } from './concurrent.mjs';

serveConcurrently(windowed(() => readFile(import.meta.filename)));
