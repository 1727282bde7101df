import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Harness } from '../harness.ts';
import { openVictims } from '../orders/documents/victim.ts';

/** More statements than a form has. */
const MOST_STATEMENTS = 200;

/** `send` submits the form, to the process at this URL or to the one that stays. */
type Form = { send: (at?: string) => Promise<unknown>; check: () => Promise<void> };

/** Returns a function that kills a process at each statement of a form, and checks what submitting it again leads to. */
export function openKills(h: Harness) {
  const { killedAt, end } = openVictims(h);
  after(end);

  return async (prepare: () => Promise<Form>): Promise<void> => {
    let kills = 0;
    for (let isKilled = true; isKilled && kills < MOST_STATEMENTS; ) {
      const { send, check } = await prepare();
      isKilled = await killedAt(kills, send);
      if (isKilled) {
        kills++;
        await send();
      }
      await check();
    }
    assert.ok(kills > 5 && kills < MOST_STATEMENTS, `killed at each of ${kills} statements`);
  };
}
