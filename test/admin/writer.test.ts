/** A writer's day with a newsletter, from the import of subscribers to the statistics of an issue. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { createPool } from '../../src/db/pool.ts';
import { photo } from '../media/files.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, goTo, mailed, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const pool = createPool(shop.target, { max: 1, applicationName: 'test' });
test.after(() => pool.end());

/** 500 rows, every fifth one with the tag, every other one from Rome. */
const csv = () =>
  [
    'email,name,tags,fields.city',
    ...Array.from(
      { length: 500 },
      (_, i) => `reader${i}@example.com,Reader,${i % 5 === 0 ? 'vip' : ''},${i % 2 === 0 ? 'Rome' : 'Oslo'}`,
    ),
  ].join('\n');

const NEWSLETTER = 'Letter from the shop';

async function openNewsletter(page: Page, link: string): Promise<void> {
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: NEWSLETTER }).click();
  await page.getByRole('link', { name: link }).first().click();
}

async function importSubscribers(page: Page): Promise<void> {
  await openNewsletter(page, 'Subscribers');
  await page.getByRole('link', { name: 'Imports and exports' }).click();
  const file = { name: 'readers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv()) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await page.getByLabel('Source of consent').fill('Paper form at the fair');
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText('Completed').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Results' }).waitFor();
  await page.getByText('Completed').waitFor();
}

/** The count follows each change. */
async function createSegment(page: Page): Promise<void> {
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'Segments' }).click();
  await checkPage(page, 'the empty list');
  await page.getByRole('link', { name: 'New segment' }).first().click();
  await page.getByLabel('Name').fill('Roman VIPs');
  const first = page.getByRole('group', { name: 'Condition 1' });
  await first.getByLabel('Field').selectOption({ label: 'Subscriber tag' });
  await first.getByLabel('Value').fill('vip');
  await page.getByText('100 people').waitFor();
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByText('Complete all conditions').waitFor();
  const second = page.getByRole('group', { name: 'Condition 2' });
  await second.getByLabel('Field', { exact: true }).selectOption({ label: 'Custom field' });
  await second.getByLabel('Field name').fill('city');
  await second.getByLabel('Value').fill('rome');
  await page.getByText('50 people').waitFor();
  await page.getByLabel('Match').selectOption({ label: 'Any of these' });
  await page.getByText('300 people').waitFor();
  await page.getByLabel('Match').selectOption({ label: 'All of these' });
  await checkPage(page, 'the segment');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Roman VIPs' }).waitFor();
  await page.getByText('reader0@example.com').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  assert.equal(
    readFileSync((await download.path())!, 'utf8')
      .trim()
      .split('\n').length,
    51,
  );
  await page.locator('[data-back]').click();
  await page.getByText('has the tag vip and city is rome').waitFor();
  await checkPage(page, 'the segments');
}

async function trackOpens(page: Page): Promise<void> {
  await openNewsletter(page, 'Edit newsletter');
  assert.ok(await page.getByLabel('Track clicks').isChecked());
  await page.getByLabel('Track opens').check();
  await checkPage(page, 'the settings of the newsletter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
}

async function writeIssue(page: Page): Promise<void> {
  await openNewsletter(page, 'New issue');
  await page.getByLabel('Subject').fill('Linen is back');
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.click();
  await page.keyboard.type('Dear {{subscriber.name}}, look what came in. ');
  const insert = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Insert element' }).click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
  };
  await insert(/^Product/);
  await page
    .getByRole('list', { name: 'Products' })
    .getByRole('button', { name: /Ceramic mug/ })
    .click();
  await insert(/^Image/);
  const dialog = page.getByRole('dialog');
  const picture = { name: 'linen.jpg', mimeType: 'image/jpeg', buffer: await photo(600, 400) };
  await dialog.getByLabel(/^Files? to upload/).setInputFiles(picture);
  await page.getByRole('button', { name: 'linen.jpg', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Use file' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Linen is back' }).waitFor();
  const mail = page.frameLocator('iframe[title="Preview"]').first();
  await mail.getByRole('link', { name: 'Ceramic mug' }).first().waitFor();
  await checkPage(page, 'the issue');
  await page.getByRole('button', { name: 'Send test email' }).click();
  await page.getByText('Test email sent to admin@example.com').waitFor();
  assert.match(await mailed(shop, 'admin@example.com', 'look what came in'), /Ceramic mug · \$/);
}

async function scheduleTest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^\d{3} recipients$/).waitFor();
  await dialog.getByLabel('Recipients', { exact: true }).selectOption({ label: 'Roman VIPs' });
  await dialog.getByText('50 recipients', { exact: true }).waitFor();
  await dialog.getByText('This issue tracks opens and clicks.').waitFor();
  await dialog.getByLabel('Send date').fill('2040-01-01T09:00');
  await dialog.getByLabel('A/B test').check();
  assert.equal(await dialog.getByLabel('Subject 1').inputValue(), 'Linen is back');
  await dialog.getByLabel('Subject 2').fill('New: linen shirts');
  await checkPage(page, 'the dialog');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('region', { name: 'Report' }).getByText('Scheduled').waitFor();
}

/** Makes the scheduled sends due. */
const passTime = () =>
  pool`update sends set scheduled_at = 1, due_at = 1 where business_id = ${shop.businessId} and status = 'SCHEDULED'`;

/** Follows the first link in the email that one of the test group got, as a browser does a minute later. */
async function clickLink(sendId: string): Promise<void> {
  const [first] = await pool`
    update deliveries set updated_at = updated_at - 60
    where business_id = ${shop.businessId} and send_id = ${sendId} and status = 'SENT' returning email`;
  const response = await fetch(`${shop.url}/dev/mailbox`, { headers: { accept: 'application/json' } });
  const { items } = (await response.json()) as { items: { to: string; html?: string; messageId?: string }[] };
  const { html } = items.find(({ to, messageId }) => to.includes(first!.email) && messageId?.includes(sendId))!;
  const link = /href="([^"]*\/c\/[^"]+)"/.exec(html!)![1]!;
  await fetch(link, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0' } });
}

test('a writer imports 500 subscribers, creates a segment, writes an issue with a product and an image, tests it, schedules an A/B test and reads the statistics', {
  skip,
  timeout: 180_000,
}, async () => {
  const page = await open();
  await importSubscribers(page);
  await createSegment(page);
  await trackOpens(page);
  await writeIssue(page);
  await scheduleTest(page);
  await passTime();
  await page.getByText('Everyone else gets the winning version by').waitFor();
  const [entry] = await souk.entries.list({ query: 'Linen is back' }).take(1);
  const send = await eventually('the test group', async () => {
    const [found] = await souk.newsletters.listSends(entry!.id).take(1);
    return found!.sent === 10 ? found : null;
  });
  await clickLink(send.id);
  await eventually('the click', async () => (await souk.newsletters.getSendStats(entry!.id, send.id)).clicked === 1);
  await page.getByRole('link', { name: 'Show statistics' }).click();
  await page
    .getByRole('region', { name: 'Links' })
    .getByRole('row', { name: /ceramic-mug.* 1$/ })
    .waitFor();
  await checkPage(page, 'the statistics');
  const row = page.getByRole('row', { name: /New: linen shirts/ });
  await row.getByRole('button', { name: 'Choose as winner' }).click();
  await page.getByRole('row', { name: /New: linen shirts.*Winner/ }).waitFor();
  await eventually('all of the segment', async () => {
    const [{ sent, status }] = (await souk.newsletters.listSends(entry!.id).take(1)) as [typeof send];
    return sent === 50 && status === 'SENT';
  });
  await openNewsletter(page, 'Growth');
  await page.getByRole('img', { name: /confirmed and/ }).waitFor();
  await checkPage(page, 'the growth');
});
