/** People who use the admin and the shop without a mouse: by keys alone, with a focus that is never lost and can always be seen. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../service.ts';

/** More presses than this to the next field are too many. */
const MOST_TABS = 40;
const FOUND_AGAIN_MS = 3000;

/** Whether the focus is there, and whether it can be seen: it is marked, and nothing that stays in place while one scrolls covers it. */
const focusOf = (target: Awaited<ReturnType<typeof find>>) =>
  target.evaluate((element) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, getComputedStyle } = globalThis as any;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    const covers = (each: any): boolean =>
      each &&
      !each.contains(element) &&
      ((/sticky|fixed/.test(getComputedStyle(each).position) && !each.matches('[role="status"]')) ||
        covers(each.parentElement));
    const { left, top, width, height } = element.getBoundingClientRect();
    const isCovered = covers(document.elementFromPoint(left + width / 2, top + height / 2));
    const isThere = element === document.activeElement;
    return { isThere, isSeen: isMarked && !isCovered, isConnected: document.contains(element) as boolean };
  });

const find = async (target: Locator) => (await target.elementHandle())!;

/** The document in which something had the focus last, by when it was opened. */
const focused = new WeakMap<Page, number>();

/** A document that was just opened has no focus; after the first Tab something always has it. */
async function checkFocus(page: Page): Promise<void> {
  const look = () =>
    page.evaluate(() => {
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
      const { document, performance } = globalThis as any;
      return { opened: performance.timeOrigin as number, isLost: document.activeElement === document.body };
    });
  const isKept = async () => {
    const { opened, isLost } = await look();
    return !isLost || focused.get(page) !== opened;
  };
  await eventually(`something on ${page.url()} has the focus`, isKept, FOUND_AGAIN_MS);
  focused.set(page, (await look()).opened);
}

/** Goes on with Tab until the focus is there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Found once: to look for a role in the whole page after each press takes longer than all else.
  await target.waitFor();
  // What a button has added takes the focus in the next frame: whoever is faster would be moved on by their own Tab.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  let element = await find(target);
  await checkFocus(page);
  for (let i = 0; i <= MOST_TABS; i++) {
    const { isThere, isSeen, isConnected } = await focusOf(element);
    if (!isConnected) element = await find(target);
    if (isThere) return assert.ok(isSeen, `The focus on ${target} cannot be seen`);
    await page.keyboard.press('Tab');
  }
  assert.fail(`After ${MOST_TABS} times Tab the focus is not on ${target}`);
}

export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** The option of a list box that begins with this. */
export async function choose(page: Page, target: Locator, option: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(option);
  const chosen = await target.locator('option:checked').textContent();
  assert.ok(chosen?.startsWith(option), `${chosen} is chosen, not ${option}`);
}

/** The button opens the dialog of the system, in which the file is chosen. */
export async function upload(
  page: Page,
  button: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, button)]);
  await chooser.setFiles(file);
}

/** By the palette, which finds rooms and actions. */
export async function go(page: Page, words: string, heading: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option', { name: new RegExp(`^${words}`, 'i'), selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await arrive(page, heading);
}

/** The heading of a page that appears takes the focus. */
export async function arrive(page: Page, heading: string | RegExp): Promise<void> {
  const title = page.getByRole('heading', { level: 1, name: heading });
  await title.waitFor();
  await eventually('the heading has the focus', async () => (await focusOf(await find(title))).isThere, FOUND_AGAIN_MS);
}

export async function save(page: Page): Promise<void> {
  await page.getByText('Unsaved changes').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
  await page.getByText('Saving').waitFor({ state: 'hidden' });
}
