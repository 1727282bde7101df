import assert from 'node:assert/strict';
import test from 'node:test';
import type { EntryBlock } from '../../client/src/index.ts';
import { photo } from '../media/files.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, searchFor, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const valuesOf = (blocks: { id: string; value?: unknown }[]) =>
  Object.fromEntries(blocks.map(({ id, value }) => [id, value]));

test('an editor designs a collection, writes an entry in two languages and publishes it', options, async () => {
  const page = await open();
  await goTo(page, 'Content');
  await page.getByRole('link', { name: 'Blog' }).waitFor();
  await checkPage(page, 'the list');
  await page.getByRole('link', { name: 'New collection' }).click();
  await page.getByLabel('Name').fill('Recipes');
  for (const [kind, label] of [
    ['Text', 'Steps'],
    ['Number', 'Minutes'],
    ['Multiple choice', 'Season'],
    ['Media', 'Photo'],
    ['Reference', 'Made with'],
    ['Location', 'From'],
    ['Date and time', 'Cooked on'],
    ['Yes/no', 'Vegan'],
  ] as const) {
    await page.getByLabel('Field type').selectOption(kind);
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label').fill(label);
    if (label === 'Steps') await page.getByLabel('Rich text with headings').check();
    if (label === 'Minutes') await page.getByLabel('Maximum').fill('60');
    if (label === 'Season') await page.getByLabel('Options', { exact: true }).fill('spring\nautumn');
    if (label === 'Made with') await page.getByLabel('Record type').selectOption('Products');
  }
  await page.getByRole('button', { name: 'Move Vegan up' }).click();
  const preview = page.getByRole('region', { name: 'Form preview' });
  await preview.getByRole('textbox', { name: 'Steps' }).waitFor();
  await preview.getByLabel('autumn').check();
  await checkPage(page, 'the designer');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Recipes' }).waitFor();
  const [collection] = await souk.collections.list({ name: 'Recipes' }).take(1);
  assert.deepEqual(
    collection!.blocks.map(({ id, type }) => `${id} ${type}`),
    [
      'title TEXT',
      'steps TEXT',
      'minutes NUMBER',
      'season MULTI_SELECT',
      'photo MEDIA',
      'made-with RELATIONSHIP',
      'from GEO_LOCATION',
      'vegan BOOLEAN',
      'cooked-on DATE',
    ],
  );

  await page.getByRole('link', { name: 'New entry' }).first().click();
  await page.getByRole('button', { name: 'Add language Title' }).click();
  await page.getByRole('dialog').getByLabel('Language').selectOption('de');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('textbox', { name: 'English' }).fill('Soup');
  await page.getByRole('textbox', { name: 'German' }).fill('Suppe');
  const steps = page.getByRole('textbox', { name: 'Steps' });
  await steps.click();
  await page.keyboard.type('Cut it. ');
  await page.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('Cook it.');
  await page.getByLabel('Minutes').fill('90');
  await page.getByLabel('spring').check();
  await page.getByLabel('Vegan').check();
  await page.getByLabel('Latitude').fill('38.7');
  await page.getByLabel('Longitude').fill('-9.1');
  await page.getByLabel('Cooked on').fill('2026-05-01T12:30');
  await page.getByRole('button', { name: 'Choose Made with' }).click();
  await searchFor(page, 'Search records', 'mug');
  await page.getByRole('button', { name: 'Ceramic mug' }).click();
  await page.getByRole('button', { name: 'Choose from media library: Photo' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Files? to upload/)
    .setInputFiles({ name: 'soup.jpg', mimeType: 'image/jpeg', buffer: await photo(300, 200) });
  await page.getByRole('button', { name: 'soup.jpg', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Use file' }).click();
  await page.getByLabel('Status').selectOption('Published');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Minutes').and(page.locator('[aria-invalid]')).waitFor();
  await page.getByLabel('Minutes').fill('45');
  await checkPage(page, 'the entry');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'Soup' }).waitFor();
  const [entry] = await souk.entries.list({ collectionId: collection!.id }).take(1);
  const values = valuesOf(entry!.blocks);
  const [mug] = await souk.products.list({ query: 'ceramic mug' }).take(1);
  assert.deepEqual(
    [values.title, values.steps, values.minutes, values.season, values['made-with'], values.from, values.vegan],
    [
      { en: 'Soup', de: 'Suppe' },
      '<p>Cut it. <strong>Cook it.</strong></p>',
      45,
      ['spring'],
      mug!.id,
      { latitude: 38.7, longitude: -9.1 },
      true,
    ],
  );
  assert.equal((values.photo as { fileName: string }).fileName, 'soup.jpg');
  assert.equal(entry!.statuses.at(-1)?.status, 'PUBLISHED');

  // Someone else edits another field, then the same one.
  const change = (id: string, value: unknown) =>
    souk.entries.update(entry!.id, {
      blocks: entry!.blocks.map((block) => (block.id === id ? ({ ...block, value } as EntryBlock) : block)),
    });
  await change('season', ['autumn']);
  await page.getByLabel('Minutes').fill('50');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("Saved and merged with someone else's changes").waitFor();
  const merged = valuesOf((await souk.entries.get(entry!.id)).blocks);
  assert.deepEqual([merged.minutes, merged.season], [50, ['autumn']]);
  await change('minutes', 20);
  await page.getByLabel('Minutes').fill('55');
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else edited this' });
  await conflict.getByRole('group', { name: 'Minutes' }).getByLabel('Their changes').check();
  await conflict.getByRole('button', { name: 'Save selection' }).click();
  await conflict.waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Minutes').inputValue(), '20');
});

test(
  'generated text is shown before it is applied, and HTML the editor does not support stays HTML',
  options,
  async () => {
    const [blog] = await souk.collections.list({ slug: 'blog' }).take(1);
    const table = '<table><tbody><tr><td>One</td></tr></tbody></table>';
    const entry = await souk.entries.create({
      collectionId: blog!.id,
      status: 'DRAFT',
      blocks: [
        { id: 'title', value: 'Wool' },
        { id: 'body', value: table },
      ],
    });
    const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await goTo(page, 'Content');
    await page.getByRole('link', { name: 'Blog' }).click();
    await page.getByRole('link', { name: 'Wool', exact: true }).click();
    await page.getByText("HTML that the rich text editor doesn't support").waitFor();
    await checkPage(page, 'the entry');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByLabel('What should the text be about?').fill('Sheep in Portugal');
    await page.getByRole('dialog').getByLabel('Text', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Generate suggestion' }).click();
    await page.getByRole('button', { name: 'Apply selected' }).waitFor();
    assert.equal(
      await page.getByRole('textbox', { name: 'Title', exact: true, includeHidden: true }).inputValue(),
      'Wool',
    );
    await checkPage(page, 'the suggestion');
    await page.getByRole('button', { name: 'Apply selected' }).click();
    assert.notEqual(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue(), 'Wool');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    assert.equal(valuesOf((await souk.entries.get(entry.id)).blocks).body, table);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('link', { name: 'Edit collection' }).click();
    await page.getByRole('button', { name: 'Category', exact: true }).click();
    await page.getByLabel('Options', { exact: true }).waitFor();
    await checkPage(page, 'the designer');
  },
);
