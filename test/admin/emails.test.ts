import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, countDrafts, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };
const hasSubject = (page: Page, start: string) =>
  eventually(`the subject ${start}`, async () =>
    (await page.getByLabel('Subject', { exact: true }).inputValue()).startsWith(start),
  );

async function save(page: Page): Promise<void> {
  const response = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  assert.equal((await response).status(), 200);
  await page.getByText(/^(Unsaved changes|Saving…)$/).waitFor({ state: 'hidden' });
}

test('a member sets the brand of emails and sees it in the preview', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/email`);
  const mail = page.frameLocator('iframe[title="Preview"]');
  const button = mail.getByRole('link', { name: 'View your order' });
  await button.waitFor();
  await page.getByLabel('Color', { exact: true }).fill('#0f766e');
  await mail.locator('.button td[bgcolor="#0f766e"]').waitFor();
  await page.getByLabel('Legal details').fill('HRB 12345');
  await checkPage(page, 'emails');
  await save(page);
  const { configs } = await souk.businesses.get(shop.businessId);
  assert.deepEqual([configs.brand?.color, configs.email?.footer], ['#0f766e', 'HRB 12345']);
  await page.getByLabel('Color', { exact: true }).fill('red');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('Color').first().waitFor();
});

test('a member edits an email with variables, sees it in all views, and resets it', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/email`);
  await page.getByRole('link', { name: 'Order confirmation (paid online)' }).click();
  await page.getByRole('heading', { level: 1, name: 'Order confirmation (paid online)' }).waitFor();
  const subject = page.getByLabel('Subject', { exact: true });
  await subject.fill('Thanks, ');
  await page.getByRole('button', { name: 'Insert Customer name' }).click();
  assert.equal(await subject.inputValue(), 'Thanks, {{customer.name}}');
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Ordered on ');
  await page.getByRole('button', { name: 'Insert Order date' }).click();
  const mail = page.frameLocator('iframe[title="Preview"]');
  await mail
    .locator('.card')
    .getByText(/Ordered on \w+ \d+, \d{4}/)
    .waitFor();
  await page.getByText('Thanks, Ada Lovelace').waitFor();
  await page.getByRole('button', { name: 'Dark' }).click();
  await mail.locator('.card').waitFor();
  // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
  const colorOf = (element: any) => (globalThis as any).getComputedStyle(element).backgroundColor;
  assert.equal(await mail.locator('.card').evaluate(colorOf), 'rgb(31, 31, 35)');
  await checkPage(page, 'an email');
  await page.getByRole('button', { name: 'Plain text' }).click();
  await page.getByText('View your order: http').waitFor();
  await save(page);
  const saved = await souk.businesses.getMailTemplate('CONFIRMED', { query: { locale: 'en' } });
  assert.deepEqual([saved.customized, saved.subject], [true, 'Thanks, {{customer.name}}']);

  await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'German' }).click();
  await hasSubject(page, 'Bestellung #');
  await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'English' }).click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click();
  await page.getByText('Default text restored').waitFor();
  assert.equal((await souk.businesses.getMailTemplate('CONFIRMED', { query: { locale: 'en' } })).customized, false);
  await hasSubject(page, 'Order #');
});

test('an unknown variable is shown on its field, and unsaved text can be restored', options, async () => {
  const page = await open();
  const url = `${shop.url}/admin/${shop.businessId}/settings/email/REFUNDED/en`;
  await page.goto(url);
  await page.getByLabel('Subject', { exact: true }).fill('Hello {{customer.nmae}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('customer.nmae').first().waitFor();
  await eventually('the draft is kept', async () => (await page.evaluate(countDrafts)) > 0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/team`);
  await page.goto(url);
  await page.getByRole('button', { name: 'Restore' }).click();
  await hasSubject(page, 'Hello {{customer.nmae}}');
});
