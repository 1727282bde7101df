import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

const shot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return;
  for (const [width, scheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
};

/** 500 rows, every fifth with the tag, every second from Rome. */
const csv = () =>
  [
    'email,name,tags,fields.city',
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
    await page.getByRole('link', { name: 'Imports and exports' }).click();
    const file = { name: 'readers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv()) };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByLabel('Source of consent').fill('Paper form at the fair');
    await page.getByRole('button', { name: 'Start dry run' }).click();
    await page.getByText('Completed').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Results' }).waitFor();
    await page.getByText('Completed').waitFor();

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
    await shot(page, 'segment');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Roman VIPs' }).waitFor();
    await page.getByText('reader0@example.com').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const rows = readFileSync((await download.path())!, 'utf8')
      .trim()
      .split('\n');
    assert.equal(rows.length, 51);
    await page.locator('[data-back]').click();
    await page.getByText('has the tag vip and city is rome').waitFor();
    await checkPage(page, 'the segments');
    await shot(page, 'segments');
  },
);
