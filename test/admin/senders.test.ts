import assert from 'node:assert/strict';
import test from 'node:test';
import { startDns } from '../accounts/sso/dns.ts';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, startAdmin } from './browser.ts';

const dns = await startDns();
const { shop, souk, open } = await startAdmin({ DNS_SERVERS: dns.server });
const options = { skip, timeout: 180_000 };

test('a member sets a sender address, publishes its records and sees it verified', options, async () => {
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/settings/sender`);
  await page.getByLabel('Email address').fill('hello@linen.example');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByRole('button', { name: 'Copy value of DKIM' }).waitFor();
  await page.getByText('until your domain is verified').waitFor();
  await checkPage(page, 'sender');
  const { records } = await souk.businesses.getSender();
  for (const { name, value } of records.slice(0, 2)) dns.records.set(name, value);
  dns.records.set('linen.example', 'v=spf1 -all');
  await page.getByRole('button', { name: 'Check records' }).click();
  await page.getByText('Emails are sent from hello@linen.example').waitFor();
  await page.getByText('v=spf1 -all', { exact: true }).waitFor();
  await checkPage(page, 'checked sender');
});

test('an editor inserts elements by keyboard, and the email and the hints show them', options, async () => {
  const collections = await souk.collections.list({ type: 'NEWSLETTER' }).take(1);
  const { id: collectionId } = collections[0]!;
  const blocks = [
    { id: 'subject', type: 'TEXT' as const, value: 'BIG NEWS TODAY' },
    { id: 'body', type: 'TEXT' as const, value: '<p>First words</p>' },
  ];
  const entry = await souk.entries.create({ collectionId, locale: 'en', blocks });
  const page = await open();
  await page.goto(`${shop.url}/admin/${shop.businessId}/newsletters/${collectionId}/${entry.id}`);
  const editor = page.getByRole('textbox', { name: 'Text' });
  await editor.getByText('First words').click();
  const insert = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Insert element' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  };
  await insert(/^Button/);
  await page.getByLabel('Label').fill('Shop now');
  await page.getByRole('dialog').getByLabel('URL').fill('https://shop.example/sale');
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await insert(/^Two columns/);
  await insert(/^Product/);
  await page.getByRole('list', { name: 'Products' }).getByRole('button').first().click();
  await page.getByText('The subject is mostly in capital letters').waitFor();
  const mail = page.frameLocator('iframe[title="Preview"]').first();
  await mail.locator('.button').getByRole('link', { name: 'Shop now' }).waitFor();
  await checkPage(page, 'issue with elements');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const html = await eventually('the saved text', async () => {
    const { blocks: saved } = await souk.entries.get(entry.id);
    const value = String(saved.find(({ id }) => id === 'body')!.value);
    return value.includes('data-button') ? value : undefined;
  });
  assert.match(html, /<p data-button><a href="https:\/\/shop\.example\/sale"[^>]*>Shop now<\/a><\/p>/);
  assert.match(html, /<div data-columns><div><p><\/p><\/div><div><p><\/p><\/div><\/div>/);
  assert.match(html, /<div data-product="prod_[^"]+">[^<]+<\/div>/);
});
