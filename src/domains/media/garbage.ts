import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const EVERY_BYTES = 8_388_608;

let collect: ((options: { type: 'minor' }) => void) | null = null;
let passed = 0;

/**
 * Bytes that came by and are needed no more. They lie outside of the heap, where V8 finds them by full collections alone, which
 * stop the process for 10 ms and more each; looking through young objects finds nearly all of them in a fraction of that.
 */
export function noteGarbage(bytes: number): void {
  passed += bytes;
  if (passed < EVERY_BYTES) return;
  passed = 0;
  collect ??= exposeCollector();
  collect({ type: 'minor' });
}

function exposeCollector(): NonNullable<typeof collect> {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
