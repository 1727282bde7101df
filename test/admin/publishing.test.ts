import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, goTo, startAdmin, whenValue } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const titleOf = ({ blocks }: { blocks: { id: string; value?: unknown }[] }) =>
  blocks.find(({ id }) => id === 'title')?.value;
const local = (seconds: number) => {
  const at = new Date(seconds * 1000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

async function makeEntry(title: string) {
  const collection = await souk.collections.create({
    name: `Notes ${title}`,
    statuses: [{ status: 'PUBLISHED' }],
    blocks: [{ id: 'title', type: 'TEXT', label: 'Title' }],
  });
  const blocks = [{ id: 'title', type: 'TEXT' as const, value: title }];
  const entry = await souk.entries.create({
    collectionId: collection.id,
    blocks,
    statuses: [{ status: 'PUBLISHED' }],
  });
  return { collection, entry };
}

test('a published entry is edited as a draft, scheduled, published, compared and restored', options, async () => {
  const { collection, entry } = await makeEntry('First');
  const page = await open();
  await goTo(page, 'Content');
  await page.getByRole('link', { name: collection.name }).click();
  await page.getByRole('link', { name: 'First' }).click();
  await page.getByLabel('Save changes as draft').check();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Second');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("You're editing a draft.").waitFor();
  assert.equal(titleOf(await souk.entries.get(entry.id)), 'First');

  await page.getByRole('button', { name: 'Schedule publishing' }).click();
  await page.getByLabel('Date and time').fill(local(Date.now() / 1000 - 7200));
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('Choose a time in the future').waitFor();
  await page.getByLabel('Date and time').fill(local(Date.now() / 1000 + 7200));
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('button', { name: /^Cancel scheduled change: Published on/ }).waitFor();
  await checkPage(page, 'the entry with a draft');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('Unpublished changes').waitFor();
  await checkPage(page, 'the list with chips');
  await page.getByRole('link', { name: 'First' }).click();
  await page.getByRole('button', { name: /^Cancel scheduled change: Published on/ }).click();
  await page.getByRole('button', { name: /^Cancel scheduled change: Published on/ }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Create preview link' }).click();
  const address = await page.getByRole('dialog').getByRole('link').getAttribute('href');
  assert.match(await (await fetch(address!)).text(), /<h1>Second<\/h1>/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published', { exact: true }).last().waitFor();
  assert.equal(titleOf(await souk.entries.get(entry.id)), 'Second');

  await page.getByRole('button', { name: 'Compare version 2' }).first().waitFor();
  const versions = await souk.entries.listVersions(entry.id).take(10);
  assert.deepEqual(
    versions.map(({ action }) => action),
    ['PUBLISHED', 'DRAFT_SAVED', 'CREATED'],
  );
  await page.getByRole('button', { name: `Compare version ${versions[0]!.number}` }).click();
  const change = page.getByRole('dialog').getByRole('region', { name: 'Title' });
  assert.match((await change.textContent())!, /Before\s*First\s*After\s*Second/);
  const { y, height } = (await page.getByRole('dialog').boundingBox())!;
  assert.ok(Math.abs(2 * y + height - page.viewportSize()!.height) < 2, 'the dialog is centered');
  await checkPage(page, 'the comparison');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByText('Version 1 restored').waitFor();
  await page.getByText('Restored from version 1').waitFor();
  await whenValue(page.getByRole('textbox', { name: 'Title', exact: true }), 'First');
  assert.equal(titleOf(await souk.entries.get(entry.id)), 'First');

  await page.getByLabel('Save changes as draft').check();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Third');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("You're editing a draft.").waitFor();
  await page.getByRole('button', { name: 'Compare version 2' }).first().click();
  await page.getByRole('button', { name: 'Restore this version' }).click();
  const question = page.getByRole('dialog', { name: 'Replace your draft?' });
  await question.getByRole('button', { name: 'Restore this version' }).click();
  await page.getByText('Version 2 restored').waitFor();
  await whenValue(page.getByRole('textbox', { name: 'Title', exact: true }), 'Second');
  assert.equal(titleOf(await souk.entries.get(entry.id)), 'First', 'the published version stays');
});

test('a release publishes a draft and a product together, and a failed release says why', options, async () => {
  const { entry } = await makeEntry('Spring sale');
  const blocks = [{ id: 'title', type: 'TEXT' as const, value: 'Sale is on' }];
  await souk.entries.update(entry.id, { blocks }, { query: { draft: true } });
  const product = await souk.products.create({ name: 'Spring bundle', status: 'DRAFT' });
  const page = await open();
  await goTo(page, 'Content');
  await page.getByRole('link', { name: 'Releases' }).click();
  await page.getByRole('link', { name: 'New release' }).first().click();
  await page.getByLabel('Name').fill('Spring');
  for (const [words, name] of [
    ['spring sale', 'Spring sale'],
    ['spring bundle', 'Spring bundle'],
  ] as const) {
    await page.getByLabel('Add entry, product, or collection').fill(words);
    await page.getByRole('option', { name }).first().click();
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
  }
  await checkPage(page, 'a new release');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
  await eventually('it is published', async () => titleOf(await souk.entries.get(entry.id)) === 'Sale is on');
  assert.equal((await souk.products.get(product.id)).statuses.at(-1)?.status, 'ACTIVE');
  await page.getByText('All items were published on').waitFor();
  await checkPage(page, 'a published release');

  const { entry: gone } = await makeEntry('Soon gone');
  const failing = await souk.releases.create({
    name: 'Fails',
    at: Math.floor(Date.now() / 1000) + 2,
    items: [gone.id],
  });
  await souk.entries.delete(gone.id);
  await eventually('it has failed', async () => (await souk.releases.get(failing.id)).status === 'FAILED');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'Fails' }).click();
  await page.getByText('Nothing was published.').waitFor();
  await checkPage(page, 'a failed release');
});

test('a product has drafts, versions and a schedule like an entry', options, async () => {
  const product = await souk.products.create({ name: 'Old lamp' });
  const page = await open({ viewport: { width: 360, height: 800 } });
  await goTo(page, 'Products');
  await page.getByRole('link', { name: 'Old lamp' }).click();
  await page.getByLabel('Save changes as draft').check();
  await page.getByLabel('Name', { exact: true }).fill('New lamp');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("You're editing a draft.").waitFor();
  assert.equal((await souk.products.get(product.id)).name, 'Old lamp');
  await checkPage(page, 'the product on a phone');
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
  await page.getByLabel('Save changes as draft').waitFor();
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Old lamp');
});
