import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { makeNewsletter, ok, runSends } from '../fixture.ts';

const h = await shareHarness();
const HOUR = 3600;

test('each subscriber gets the issue at the scheduled time in their own time zone', async () => {
  const newsletter = await makeNewsletter(h, {}, { profile: { timeZone: 'Europe/Berlin' } });
  const zones = { tokyo: 'Asia/Tokyo', berlin: undefined, newYork: 'America/New_York' };
  for (const [name, timeZone] of Object.entries(zones)) {
    await ok(newsletter.subscribe(`${name}@example.com`, timeZone ? { timeZone } : {}));
  }
  const entryId = await newsletter.entry();
  // Noon in Berlin, in winter: Tokyo is 8 hours ahead, New York 6 hours behind.
  const today = new Date(h.clock.seconds() * 1000).getUTCFullYear();
  const noon = Date.UTC(today + 1, 0, 15, 11) / 1000;
  const send = await ok(newsletter.send(entryId, { scheduledAt: noon, localTime: true }));
  assert.deepEqual([send.status, send.scheduledAt], ['SCHEDULED', noon]);
  const reached = async (at: number) => {
    h.clock.stopAt(at);
    await runSends(h.service);
    const mails = (await h.mailbox()).filter((mail) => mail.kind === 'mail' && mail.messageId?.includes(send.id));
    return mails.map(({ to }) => to.split('@')[0]).sort();
  };
  assert.deepEqual(await reached(noon - 8 * HOUR - 1), []);
  assert.deepEqual(await reached(noon - 8 * HOUR), ['tokyo']);
  assert.deepEqual(await reached(noon - 1), ['tokyo']);
  assert.deepEqual(await reached(noon), ['berlin', 'tokyo']);
  assert.deepEqual(await reached(noon + 6 * HOUR - 1), ['berlin', 'tokyo']);
  assert.deepEqual(await reached(noon + 6 * HOUR), ['berlin', 'newYork', 'tokyo']);
  await newsletter.login();
  const done = await newsletter.progress(entryId, send.id);
  assert.deepEqual([done.status, done.sent], ['SENT', 3]);
});

test('a time zone must exist', async () => {
  const newsletter = await makeNewsletter(h);
  assert.equal((await newsletter.subscribe('ada@example.com', { timeZone: 'Mars/Base' })).status, 422);
});
