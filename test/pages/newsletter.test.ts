import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { startHarness } from '../harness.ts';
import { confirmLink, makeNewsletter, ok, runSends } from '../newsletters/fixture.ts';
import { startSink } from '../smtp-sink.ts';
import { openPage, skip } from './browser.ts';

const sink = await startSink();
after(() => sink.close());

test('the confirmation page works without JavaScript', { skip }, async () => {
  const h = await startHarness();
  const newsletter = await makeNewsletter(h, { settings: { doubleOptIn: true } });
  await ok(newsletter.subscribe('ada@example.com'));
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(await confirmLink(h, 'ada@example.com'));
  await page.getByText('ada@example.com').waitFor();
  await page.getByRole('button', { name: 'Confirm subscription' }).click();
  await page.getByRole('status').getByText('the next issue').waitFor();
  assert.equal(await newsletter.statusOf('ada@example.com'), 'ACTIVE');
});

test('the unsubscribe page works without JavaScript', { skip }, async () => {
  const h = await startHarness({ SMTP_URL: sink.url });
  const newsletter = await makeNewsletter(h);
  await ok(newsletter.subscribe('ada@example.com'));
  await ok(newsletter.send(await newsletter.entry()));
  await runSends(h.service);
  const { headers } = await sink.parse(sink.messages[0]!);
  const url = headers.find(({ key }) => key === 'list-unsubscribe')!.value.slice(1, -1);
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(url);
  await page.getByText('ada@example.com will no longer get this newsletter').waitFor();
  assert.equal(await newsletter.statusOf('ada@example.com'), 'ACTIVE', 'opening the link changes nothing');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('status').getByText('no longer get this newsletter').waitFor();
  assert.equal(await newsletter.statusOf('ada@example.com'), 'UNSUBSCRIBED');
  await page.goto(url);
  assert.equal(await page.getByRole('button').count(), 0);
});
