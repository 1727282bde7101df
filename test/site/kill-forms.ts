import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Harness } from '../harness.ts';
import { openVictims } from '../orders/documents/victim.ts';
import { openBrowser, type Shown } from './browser.ts';

/** More statements than a form has. */
const MOST_STATEMENTS = 200;

type Browser = ReturnType<typeof openBrowser>;

/** A browser with a copy of another browser's cookies. */
export function copyBrowser(url: string, { jar }: Browser): Browser {
  const copy = openBrowser(url);
  for (const [name, value] of jar) copy.jar.set(name, value);
  return copy;
}

/** `send` submits the form to the process at this URL. `again` submits it to another process, like a browser that didn't get a response. */
type Form = { send: (at: string) => Promise<Shown>; again: () => Promise<unknown>; check: () => Promise<void> };

/**
 * Returns a function that kills a process at each statement of a form, submits the form again and checks the result. In the last round,
 * only the response is lost.
 */
export function openKills(h: Harness) {
  const { killedAt, end } = openVictims(h);
  after(end);

  return async (prepare: () => Promise<Form>): Promise<void> => {
    let kills = 0;
    for (let isKilled = true; isKilled && kills < MOST_STATEMENTS; ) {
      const { send, again, check } = await prepare();
      let status: number | undefined;
      isKilled = await killedAt(kills, async (at) => {
        ({ status } = await send(at));
      });
      if (isKilled) kills++;
      else assert.equal(status, 303);
      await again();
      await check();
    }
    assert.ok(kills > 5 && kills < MOST_STATEMENTS, `killed at each of ${kills} statements`);
  };
}
