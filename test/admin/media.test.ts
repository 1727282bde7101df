import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import type { Page } from 'playwright-core';
import { photo } from '../media/files.ts';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

/** Drops or pastes an image on the page. */
async function addFile(page: Page, kind: 'drop' | 'paste', name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(
    ({ how, base64, fileName }) => {
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
      const { atob, DataTransfer, File, DragEvent, ClipboardEvent, document } = globalThis as any;
      const file = new File([Uint8Array.from(atob(base64), (each: string) => each.charCodeAt(0))], fileName);
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      const options = { bubbles: true, cancelable: true };
      const zone = document.querySelector('.drop-zone');
      if (how === 'drop') zone.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer }));
      else document.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: dataTransfer }));
    },
    { how: kind, base64: bytes.toString('base64'), fileName: name },
  );
}

test(
  'files are uploaded by choosing, dropping and pasting, and deleting a file in use asks first',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Media');
    await page.getByRole('link', { name: 'linen-shirt.svg' }).waitFor();
    const files = page.getByLabel('Files to upload');
    await files.setInputFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await photo(600, 400) });
    await page.getByText('harbour.jpg uploaded').waitFor();
    await addFile(page, 'drop', 'dropped.jpg', await photo(300, 200, 3));
    await page.getByRole('link', { name: 'dropped.jpg' }).waitFor();
    await addFile(page, 'paste', 'pasted.jpg', await photo(300, 200, 4));
    await page.getByRole('link', { name: 'pasted.jpg' }).waitFor();
    await files.setInputFiles({
      name: 'notes.exe',
      mimeType: 'image/png',
      buffer: Buffer.from('MZ\0\0 not an image'),
    });
    await page.getByRole('list', { name: 'Uploads' }).getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Cancel upload of notes.exe' }).click();
    await checkPage(page, 'the library');

    await page.getByRole('searchbox', { name: 'Search files' }).fill('harb');
    await page.getByRole('link', { name: 'dropped.jpg' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'harbour.jpg' }).click();
    await page.getByLabel('Alt text (English)').fill('A harbour in the morning');
    await page.getByRole('button', { name: 'Add language Alt text' }).click();
    await page.getByRole('dialog').getByLabel('Language').selectOption('de');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('textbox', { name: 'German' }).fill('Ein Hafen am Morgen');
    await page.getByLabel('Horizontal position').fill('25');
    await page.getByText("This file isn't used anywhere").waitFor();
    await checkPage(page, 'the file');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const [item] = await souk.media.list({ query: 'harbour' }).take(1);
    assert.deepEqual(item!.alt, { en: 'A harbour in the morning', de: 'Ein Hafen am Morgen' });
    assert.deepEqual(item!.focalPoint, { x: 0.25, y: 0.5 });

    const product = await souk.products.create({ name: 'Boat', gallery: [{ id: item!.id }] });
    await page.reload();
    await page.getByRole('link', { name: 'Boat' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 record uses this file.').waitFor();
    await page.getByRole('button', { name: 'Delete everywhere' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal((await souk.products.get(product.id)).gallery[0]?.id, item!.id);
  },
);

test('a 33 MiB upload resumes after an interruption and in a new tab without resending parts', options, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-film-'));
  after(() => rmSync(folder, { recursive: true }));
  const film = join(folder, 'film.mp4');
  const bytes = Buffer.alloc(33 * 1_048_576, 'noise');
  Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex').copy(bytes);
  writeFileSync(film, bytes);
  const page = await open();
  await goTo(page, 'Media');
  const sent: string[] = [];
  page.on('requestfinished', (request) => {
    const part = /\/parts\/(\d+)$/.exec(request.url());
    if (part) sent.push(part[1]!);
  });
  let isBroken = true;
  await page.route(/\/parts\/[23]$/, (route) => (isBroken ? route.abort() : route.continue()));
  await page.getByLabel('Files to upload').setInputFiles(film);
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByRole('alert').waitFor();
  await checkPage(page, 'an interrupted upload');
  await page.reload();
  await page.getByLabel('Files to upload').setInputFiles(film);
  await uploads.getByRole('alert').waitFor();
  isBroken = false;
  await uploads.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('film.mp4 uploaded').waitFor();
  assert.deepEqual(sent, ['1', '2', '3']);
  const [item] = await souk.media.list({ query: 'film' }).take(1);
  assert.deepEqual([item!.size, item!.mimeType], [bytes.length, 'video/mp4']);
});

test('the library and the file page fit a 360 px screen in dark mode', options, async () => {
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await goTo(page, 'Media');
  await page.getByRole('link', { name: 'linen-shirt.svg' }).click();
  await page.getByLabel('Horizontal position').waitFor();
  await page.getByRole('link', { name: 'Linen shirt' }).waitFor();
  await checkPage(page, 'the file');
});
