/** People who use the admin in a browser, and what must be true of every page that they see. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { type Shop, startShop } from '../client/shop.ts';
import { openPage } from '../pages/browser.ts';
import { eventually } from '../service.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { width: 360, height: 800 };
const PASSWORD = 'a-good-pass-4711';

/** The demo shop, its client with all rights, and how to open its admin. */
export async function startAdmin(settings: Record<string, string> = {}) {
  const shop = await startShop(settings);
  const souk = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
  /** At Home, logged in as its ADMIN. */
  const open = (options: BrowserContextOptions = {}) => logIn(shop, '', adminOf(shop), { locale: 'en-US', ...options });
  return { shop, souk, open };
}

const adminOf = (shop: Shop) => ({ email: 'admin@example.com', password: shop.password });

/** A page at this address of the admin; it fails its test when a script on it fails or its policy is broken. */
export async function openAdmin(shop: Shop, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage({ reducedMotion: 'reduce', ...options });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => assert.fail(error));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) assert.fail(message.text());
  });
  await page.goto(`${shop.url}/admin${path}`);
  return page;
}

/** Logs in, and is at the page of the demo shop then. */
export async function logIn(
  shop: Shop,
  path: string,
  { email, password } = adminOf(shop),
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openAdmin(shop, `/${shop.businessId}${path}`, options);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Goes to a room by its link, which a phone shows behind "Menu". */
export async function goTo(page: Page, room: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: room, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: room }).waitFor();
}

/** Until its answer is there, rows may move away from under the pointer. */
export async function searchFor(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: label }).fill(text);
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

/** The text of the newest mail to this address that says this. */
export const mailed = (shop: Shop, email: string, says: string) =>
  eventually(`a mail to ${email}`, async () => {
    const answer = await fetch(`${shop.url}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const { items } = (await answer.json()) as { items: { to: string; text: string }[] };
    return items.find(({ to, text }) => to.includes(email) && text.includes(says))?.text;
  });

/** The link in the newest mail to this address whose path is this. */
export async function mailedLink(shop: Shop, email: string, path: string): Promise<string> {
  const text = await mailed(shop, email, `${path}?`);
  return text.match(new RegExp(`\\S+${path}\\?\\S+`))![0];
}

/** Somebody who was invited as this role of the demo shop, and has accepted. */
export async function joinAs(shop: Shop, roleName: string) {
  const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
  const email = `${randomUUID()}@example.com`;
  const roles = await staff.roles.list().take(100);
  const role = roles.find(({ name }) => name === roleName)!;
  await staff.invitations.create({ email, roleIds: [role.id] });
  const token = new URL(await mailedLink(shop, email, '/invitation')).searchParams.get('token')!;
  const body = new URLSearchParams({ token, action: 'accept', name: 'Sam Support', password: PASSWORD });
  const answer = await fetch(`${shop.url}/invitation`, { method: 'POST', body });
  assert.equal(answer.status, 200);
  return { email, password: PASSWORD };
}

/** axe finds nothing, and nothing is wider than the screen, on this screen and on a phone. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  for (const size of before.width === PHONE.width ? [before] : [before, PHONE]) {
    await page.setViewportSize(size);
    assert.deepEqual(await axeProblems(page), [], `${name} at ${size.width} px`);
    assert.ok((await overflow(page)) <= 0, `${name} is wider than ${size.width} px`);
  }
  await page.setViewportSize(before);
}

async function axeProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { violations } = await (globalThis as any).axe.run();
    return violations.flatMap((violation: { id: string; nodes: { html: string }[] }) =>
      violation.nodes.map(({ html }) => `${violation.id}: ${html}`),
    );
  });
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, innerWidth } = globalThis as any;
    return document.documentElement.scrollWidth - innerWidth;
  });
