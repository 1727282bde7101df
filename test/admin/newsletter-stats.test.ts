import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();

test('a member turns on tracking, tests two subjects, chooses one, and sees statistics and growth', {
  skip,
  timeout: 120_000,
}, async () => {
  const page = await open();
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'Letter from the shop' }).click();
  await page.getByRole('link', { name: 'Edit newsletter' }).click();
  assert.ok(await page.getByLabel('Track clicks').isChecked());
  await page.getByLabel('Track opens').check();
  await checkPage(page, 'the settings of the newsletter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  const [newsletter] = await souk.collections.list({ name: 'Letter from the shop' }).take(1);
  assert.deepEqual(newsletter!.settings.tracking, { opens: true, clicks: true });
  const blocks = [
    { id: 'subject', type: 'TEXT' as const, value: 'Linen is back' },
    { id: 'body', type: 'TEXT' as const, value: '<p><a href="https://shop.example/linen">Linen</a></p>' },
  ];
  const entry = await souk.entries.create({
    collectionId: newsletter!.id,
    locale: 'en',
    blocks,
    statuses: [{ status: 'PUBLISHED' as const }],
  });
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'Letter from the shop' }).click();
  await page.getByRole('link', { name: 'Linen is back' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/\d+ recipients/).waitFor();
  await dialog.getByText('Opens and clicks of this issue are tracked.').waitFor();
  await dialog.getByLabel('A/B test').check();
  assert.equal(await dialog.getByLabel('Subject 1').inputValue(), 'Linen is back');
  await dialog.getByLabel('Subject 2').fill('New: linen shirts');
  await checkPage(page, 'the subject test');
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Everyone else gets the winner').waitFor();
  await page.getByRole('link', { name: 'Show statistics' }).click();
  await page.getByRole('region', { name: 'Links' }).getByText('https://shop.example/linen').first().waitFor();
  await checkPage(page, 'the figures');
  await page
    .getByRole('row', { name: /New: linen shirts/ })
    .getByRole('button', { name: 'Choose as winner' })
    .click();
  await page.getByRole('row', { name: /New: linen shirts.*Winner/ }).waitFor();
  const [send] = await souk.newsletters.listSends(entry.id).take(1);
  assert.equal(send!.experiment?.winner, 1);
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'Letter from the shop' }).click();
  await page.getByRole('link', { name: 'Growth' }).click();
  await page.getByRole('img', { name: /confirmed and/ }).waitFor();
  await checkPage(page, 'the growth');
});
