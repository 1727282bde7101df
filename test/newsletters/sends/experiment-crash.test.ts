import assert from 'node:assert/strict';
import test from 'node:test';
import { SMTP_CONNECTIONS } from '../../../src/providers/mail/smtp.ts';
import { startHarness } from '../../harness.ts';
import { startSink } from '../../smtp-sink.ts';
import { addsUp, makeNewsletter, ok } from '../fixture.ts';
import { createWorkers, UNTIMED } from './workers.ts';

const SUBSCRIBERS = 1200;
const TESTERS = 600;
/** One kill during the test, one during the rest. */
const KILL_AT = [250, 900];

let onMessage: () => void = () => {};
const sink = await startSink({ onMessage: () => onMessage() });
const settings = { SMTP_URL: sink.url, MAIL_LEASE: '2', PUBLIC_URL: 'http://localhost:3000' };
const h = await startHarness(settings);
const workers = createWorkers(h, settings);
test.after(async () => {
  await workers.killAll();
  await sink.close();
});

test(
  'with one crash during the test and one after it, each person in the test group gets one version, and everyone else gets the winner',
  UNTIMED,
  async () => {
    const newsletter = await makeNewsletter(h);
    await newsletter.crowd(SUBSCRIBERS);
    const entryId = await newsletter.entry('First');
    const alternatives = [await newsletter.entry('Second', { statuses: [{ status: 'DRAFT' }] })];
    const experiment = { share: TESTERS / SUBSCRIBERS, alternatives, metric: 'MANUAL', after: 3600 };
    const kills = [...KILL_AT];
    onMessage = () => {
      if (kills[0] === undefined || sink.messages.length < kills[0]) return;
      kills.shift();
      workers.replace();
    };
    await workers.start();
    const send = await ok(newsletter.send(entryId, { experiment }));
    const progress = () => newsletter.progress(entryId, send.id);
    await workers.waitUntil(async () => (await progress()).sent === TESTERS, sink.messages);
    const path = `${newsletter.base}/entries/${entryId}/sends/${send.id}/winner` as const;
    await ok(h.call('POST', path, { token: newsletter.token, body: { variant: 1 } }));
    await workers.waitUntil(async () => (await progress()).status !== 'SENDING', sink.messages);
    const done = await progress();
    assert.deepEqual([done.status, done.sent], ['SENT', SUBSCRIBERS]);
    assert.ok(addsUp(done));
    assert.equal(kills.length, 0);
    const bySubject = new Map<string, Set<string>>();
    for (const { to, raw } of sink.messages) {
      const subject = /^Subject: (.+?)\r?$/m.exec(raw.toString('latin1'))![1]!;
      bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(to));
    }
    assert.deepEqual([bySubject.get('First')!.size, bySubject.get('Second')!.size], [300, 900]);
    const twice = [...sink.byAddress().values()].filter((ids) => ids.length > 1);
    assert.ok(twice.length <= KILL_AT.length * SMTP_CONNECTIONS, `${twice.length} arrived twice`);
    assert.ok(twice.every((ids) => new Set(ids).size === 1));
  },
);
