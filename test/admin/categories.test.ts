import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 240_000 };

test(
  'a category is created, moved, translated and assigned to a product, and its old URL redirects',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Products');
    await page.getByRole('link', { name: 'Categories' }).click();
    await page.getByRole('link', { name: /Tableware/ }).waitFor();
    await checkPage(page, 'the tree');
    await page.getByRole('link', { name: 'New category' }).click();
    await page.getByLabel('Name').fill('Outdoors');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outdoors' }).waitFor();
    await page.getByText('Translations').click();
    await page.getByLabel('Add language').selectOption('de');
    await page.getByLabel('Name in German').fill('Draußen');
    await page.getByLabel('Slug', { exact: true }).fill('outside');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    await checkPage(page, 'the editor');
    const category = await souk.categories.get('outside');
    assert.equal(category.translations?.de?.name, 'Draußen');
    const [redirect] = await souk.redirects.list().take(1);
    assert.deepEqual([redirect?.from, redirect?.to], ['/categories/outdoors', '/categories/outside']);

    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Move into the category above: Outdoors' }).click();
    await page.getByText('Outdoors moved').waitFor();
    assert.deepEqual(
      (await souk.categories.get(category.id)).ancestors.map(({ slug }) => slug),
      ['gifts'],
    );

    await goTo(page, 'Products');
    await page.getByRole('link', { name: 'Terracotta planter' }).click();
    await page.getByRole('checkbox', { name: 'Outdoors' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    // The page may still show that the category was saved.
    await eventually('the product is in the category', async () => {
      const found = await souk.products.list({ categoryId: 'outside' }).take(10);
      return found.map(({ slug }) => slug).join() === 'terracotta-planter';
    });
  },
);
