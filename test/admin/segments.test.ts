import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

/** 500 rows, every fifth with the tag, every second from Rome. */
const csv = () =>
  [
    'email,name,tags,field:city',
    ...Array.from(
      { length: 500 },
      (_, i) => `reader${i}@example.com,Reader,${i % 5 === 0 ? 'vip' : ''},${i % 2 === 0 ? 'Rome' : 'Oslo'}`,
    ),
  ].join('\n');

test(
  'a writer imports 500 subscribers, makes a segment of them and sees the count while editing',
  options,
  async () => {
    const [newsletter] = await souk.collections.list({ type: 'NEWSLETTER' }).take(1);
    const page = await open();
    await goTo(page, 'Newsletters');
    await page.getByRole('link', { name: newsletter!.name }).click();
    await page.getByRole('link', { name: 'Subscribers' }).click();
    await page.getByRole('link', { name: 'Import' }).click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'readers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv()) });
    await page.pause();
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
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/segment.png`, fullPage: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Roman VIPs' }).waitFor();
    await page.getByText('reader0@example.com').waitFor();
    assert.ok(true);
  },
);
