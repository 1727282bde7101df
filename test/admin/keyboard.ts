/** Uses the admin and the shop by keyboard alone. Fails when the focus is lost or invisible. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../service.ts';

/** The maximum number of Tab presses to reach an element. */
const MAX_TABS = 40;
const FOUND_AGAIN_MS = 3000;

/** Whether the element has the focus, and whether the focus is visible: outlined and not covered by a sticky or fixed element. */
const focusOf = (target: Awaited<ReturnType<typeof find>>) =>
  target.evaluate((element) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, getComputedStyle } = globalThis as any;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
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

/** The document that last had a focused element, by its time origin. */
const focused = new WeakMap<Page, number>();

/** A new document has no focus. After the first Tab, something always has it. */
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

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Located once, because finding a role in the whole page after each press is slow.
  await target.waitFor();
  // Added elements take the focus in the next frame. An earlier Tab would move it on.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  let element = await find(target);
  await checkFocus(page);
  for (let i = 0; i <= MAX_TABS; i++) {
    const { isThere, isSeen, isConnected } = await focusOf(element);
    if (!isConnected) {
      // The new element may already have the focus.
      element = await find(target);
      continue;
    }
    if (isThere) return assert.ok(isSeen, `The focus on ${target} is not visible`);
    await page.keyboard.press('Tab');
  }
  assert.fail(`${target} has no focus after ${MAX_TABS} presses of Tab`);
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

/** Selects the option that starts with this text. */
export async function choose(page: Page, target: Locator, option: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(option);
  const chosen = await target.locator('option:checked').textContent();
  assert.ok(chosen?.startsWith(option), `${chosen} is chosen, not ${option}`);
}

/** Presses the button and chooses the file in the system dialog. */
export async function upload(
  page: Page,
  button: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, button)]);
  await chooser.setFiles(file);
}

/** Opens a page through the palette. */
export async function go(page: Page, words: string, heading: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option', { name: new RegExp(`^${words}`, 'i'), selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await arrive(page, heading);
}

/** Waits until the heading of the new page has the focus. */
export async function arrive(page: Page, heading: string | RegExp): Promise<void> {
  const title = page.getByRole('heading', { level: 1, name: heading });
  await title.waitFor();
  await eventually('the heading has the focus', async () => (await focusOf(await find(title))).isThere, FOUND_AGAIN_MS);
}

export async function save(page: Page): Promise<void> {
  await page.getByText('Unsaved changes').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
  await page.getByText('Saving').waitFor({ state: 'hidden' });
}
