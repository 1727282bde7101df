/** Opens the admin in a browser and checks every page for errors, accessibility and overflow. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { type Shop, startShop } from '../client/shop.ts';
import { axeProblems, overflow } from '../pages/axe.ts';
import { openPage } from '../pages/browser.ts';
import { eventually } from '../service.ts';

const PHONE = { width: 360, height: 800 };
const PASSWORD = 'a-good-pass-4711';

/** The demo shop, a client with all permissions, and a function that opens the admin. */
export async function startAdmin(settings: Record<string, string> = {}) {
  const shop = await startShop(settings);
  const souk = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
  /** Opens Home, logged in as ADMIN. */
  const open = (options: BrowserContextOptions = {}) => logIn(shop, '', adminOf(shop), { locale: 'en-US', ...options });
  return { shop, souk, open };
}

const adminOf = (shop: Shop) => ({ email: 'admin@example.com', password: shop.password });

/** Opens an admin page. A script error or a policy violation fails the test. */
export async function openAdmin(
  shop: Pick<Shop, 'url'>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage({ reducedMotion: 'reduce', ...options });
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => assert.fail(error));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) assert.fail(message.text());
  });
  await page.goto(`${shop.url}/admin${path}`);
  return page;
}

/** Logs in and opens a page of the demo shop's admin. */
export async function logIn(
  shop: Shop,
  path: string,
  { email, password } = adminOf(shop),
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openAdmin(shop, `/${shop.businessId}${path}`, options);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Opens a section by its link, which phones show behind "Menu". */
export async function goTo(page: Page, section: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: section, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: section }).waitFor();
}

/** Searches and waits for the response, because rows may move until then. */
export async function searchFor(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: label }).fill(text);
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

/** The newest email to this address that contains this text. */
export const mailed = (shop: Pick<Shop, 'url'>, email: string, says: string) =>
  eventually(`an email to ${email}`, async () => {
    const response = await fetch(`${shop.url}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const { items } = (await response.json()) as { items: { to: string; text: string }[] };
    return items.find(({ to, text }) => to.includes(email) && text.includes(says))?.text;
  });

/** The link with this path in the newest email to this address. */
export async function mailedLink(shop: Pick<Shop, 'url'>, email: string, path: string): Promise<string> {
  const text = await mailed(shop, email, `${path}?`);
  return text.match(new RegExp(`\\S+${path}\\?\\S+`))![0];
}

/** Invites a user to the demo shop with this role and accepts the invitation. */
export async function joinAs(shop: Shop, roleName: string) {
  const staff = createClient({ baseUrl: shop.url, businessId: shop.businessId, apiKey: shop.apiKey });
  const email = `${randomUUID()}@example.com`;
  const roles = await staff.roles.list().take(100);
  const role = roles.find(({ name }) => name === roleName)!;
  await staff.invitations.create({ email, roleIds: [role.id] });
  const token = new URL(await mailedLink(shop, email, '/invitation')).searchParams.get('token')!;
  const body = new URLSearchParams({ token, action: 'accept', name: 'Sam Support', password: PASSWORD });
  const response = await fetch(`${shop.url}/invitation`, { method: 'POST', body });
  assert.equal(response.status, 200);
  return { email, password: PASSWORD };
}

/** Fields show a new value a moment after the rest of the page. */
export const whenValue = (field: Locator, value: string) =>
  eventually(`the value ${value}`, async () => ((await field.inputValue()) === value ? true : null));

/** Checks that there are no axe violations and no overflow, at this size and on a phone. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  for (const size of before.width === PHONE.width ? [before] : [before, PHONE]) {
    await page.setViewportSize(size);
    assert.deepEqual(await axeProblems(page), [], `${name} at ${size.width} px`);
    assert.ok((await overflow(page)) <= 0, `${name} is wider than ${size.width} px`);
  }
  await page.setViewportSize(before);
}

/** Counts the unsaved edits in the browser. Runs in the page. */
export async function countDrafts(): Promise<number> {
  // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
  const { indexedDB } = globalThis as any;
  // Opening a missing database would create it.
  const databases: { name: string }[] = await indexedDB.databases();
  if (!databases.some(({ name }) => name === 'souk-admin')) return 0;
  return new Promise((resolve) => {
    const request = indexedDB.open('souk-admin', 1);
    request.onsuccess = () => {
      const count = request.result.transaction('drafts').objectStore('drafts').count();
      count.onsuccess = () => resolve(count.result);
    };
  });
}
