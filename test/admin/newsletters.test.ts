import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, joinAs, logIn, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

test(
  'a member creates a newsletter, adds subscribers with consent, and previews, tests and sends an issue',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Newsletters');
    await page.getByRole('link', { name: 'Letter from the shop' }).waitFor();
    await page.getByRole('link', { name: 'New newsletter' }).click();
    assert.equal(await page.getByLabel('Double opt-in').isChecked(), true);
    await page.getByLabel('Name', { exact: true }).fill('Harbour news');
    await page.getByRole('button', { name: 'Add plan' }).click();
    await page.getByRole('group', { name: 'Plan 2' }).getByLabel('Plan name').fill('Club');
    await checkPage(page, 'the newsletter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour news' }).waitFor();
    const [newsletter] = await souk.collections.list({ name: 'Harbour news' }).take(1);
    assert.equal(newsletter!.settings.doubleOptIn, true);
    assert.equal(newsletter!.plans[1]?.price?.amount, 500);

    await page.getByRole('link', { name: 'Subscribers' }).click();
    for (const name of ['ada', 'grace', 'alan']) {
      await page.getByRole('button', { name: 'Add subscriber' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill(`${name}@example.com`);
      if (name === 'ada') {
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        await dialog.getByLabel('Source of consent').and(page.locator('[aria-invalid]')).waitFor();
        await checkPage(page, 'the dialog');
      }
      await dialog.getByLabel('Source of consent').fill('On paper at the fair');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText(`${name}@example.com added`).waitFor();
      await dialog.waitFor({ state: 'detached' });
      const focused = await page.evaluate<string>('document.activeElement.textContent');
      assert.equal(focused, 'Add subscriber', 'the focus returns to the button');
    }
    await page.getByRole('button', { name: 'grace@example.com' }).click();
    await page.getByRole('dialog').getByText('On paper at the fair').waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('row', { name: /grace@example.com.*Unsubscribed/ }).waitFor();
    await checkPage(page, 'the subscribers');

    await page.getByRole('link', { name: 'Issues' }).click();
    await page.getByRole('link', { name: 'New issue' }).first().click();
    await page.getByLabel('Subject').fill('The boats are back');
    await page.getByRole('textbox', { name: 'Text' }).click();
    await page.keyboard.type('Dear {{subscriber.name}}, they are.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'The boats are back' }).waitFor();
    const mail = page.frameLocator('iframe[title="Preview"]');
    await mail.getByText('Dear Ada, they are.').waitFor();
    const padding = await mail.getByText('Dear Ada, they are.').evaluate((element) => {
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
      return (globalThis as any).getComputedStyle(element).lineHeight;
    });
    assert.notEqual(padding, 'normal', 'the email has its own styles');
    await page.getByRole('textbox', { name: 'Text' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Come and see.');
    await mail.getByText('they are. Come and see.').waitFor();
    await page.getByRole('button', { name: 'Mobile' }).click();
    await mail.getByText('they are. Come and see.').waitFor();
    await page.getByRole('button', { name: 'Plain text' }).click();
    await page.getByText('Dear Ada, they are. Come and see.').last().waitFor();
    await checkPage(page, 'the issue');
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
    await page.keyboard.press('Control+s');
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });

    await page.getByLabel('Send test email to').fill('stranger@example.com');
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByLabel('Send test email to').and(page.locator('[aria-invalid]')).waitFor();
    await page.getByLabel('Send test email to').fill('admin@example.com');
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText('Test email sent to admin@example.com').waitFor();

    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('This issue is a draft. Sending publishes it first.').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Sending to 2 subscribers').waitFor();
    const report = page.getByRole('region', { name: 'Report' });
    await report.getByText('Sent').first().waitFor();
    await report.getByRole('definition').filter({ hasText: /^2$/ }).waitFor();
    await report.getByRole('button', { name: 'Show recipients' }).click();
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /ada@example.com.*Sent/ })
      .waitFor();
    await checkPage(page, 'the recipients');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByLabel('Status').inputValue(), 'PUBLISHED');

    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByLabel('Send date').fill('2030-01-01T09:00');
    await page.getByLabel('Send again to subscribers').check();
    await page.getByRole('button', { name: 'Schedule' }).click();
    await report.getByText('Scheduled').waitFor();
    await report.getByRole('button', { name: 'Cancel send' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click();
    await report.getByText('Canceled').waitFor();
  },
);

test(
  'the list of issues shows which ones are scheduled and sent, and is updated when one is sent',
  options,
  async () => {
    const { id } = await souk.collections.create({
      name: 'Postcards',
      type: 'NEWSLETTER',
      blocks: [{ id: 'subject', type: 'TEXT' }],
      plans: [{ id: 'free', name: 'Free' }],
      statuses: [{ status: 'PUBLISHED' }],
    });
    const issue = (subject: string, status: 'DRAFT' | 'PUBLISHED' = 'PUBLISHED') =>
      souk.entries.create({ collectionId: id, status, blocks: [{ id: 'subject', value: subject }] });
    await issue('A draft', 'DRAFT');
    const [unsent, planned, withdrawn] = [await issue('Unsent'), await issue('Planned'), await issue('Withdrawn')];
    const scheduledAt = Date.UTC(new Date().getUTCFullYear() + 2, 5, 15, 12) / 1000;
    await souk.newsletters.sendEntry(planned.id, { scheduledAt });
    const send = await souk.newsletters.sendEntry(withdrawn.id, { scheduledAt });
    await souk.newsletters.cancelSend(withdrawn.id, send.id);

    const page = await open();
    await goTo(page, 'Newsletters');
    await page.getByRole('link', { name: 'Postcards' }).click();
    const row = (name: RegExp) => page.getByRole('row', { name }).waitFor();
    await row(/^A draft .*Draft$/);
    await row(/^Unsent .*Published$/);
    await row(/^Withdrawn .*Published$/);
    const planTime = `Jun 15, ${new Date(scheduledAt * 1000).getFullYear()}`;
    await row(new RegExp(`^Planned .*Scheduled ?${planTime}$`));
    await souk.newsletters.sendEntry(unsent.id);
    await row(/^Unsent .*Sent ?[A-Z][a-z]{2} \d+, \d+:\d\d.[AP]M$/);
    await souk.entries.update(unsent.id, { statuses: [{ status: 'ARCHIVED' }] });
    await page.reload();
    await row(/^Unsent .*Archived ?Sent · [A-Z][a-z]{2} \d+, /);
    await checkPage(page, 'the issues');

    await souk.roles.create({ name: 'Reader', permissions: ['CONTENT_READ', 'SUBSCRIBER_READ'] });
    const reader = await logIn(shop, `/newsletters/${id}`, await joinAs(shop, 'Reader'), { locale: 'en-US' });
    await reader.getByRole('row', { name: /^Planned .*Published$/ }).waitFor();
  },
);

test('a member suppresses an address, connects an email provider, and removes the suppression', options, async () => {
  const page = await open();
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'Suppressed addresses' }).click();
  await page.getByText('No suppressed addresses').waitFor();
  await page.getByRole('button', { name: 'Suppress address' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill('grumpy@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'grumpy@example.com' }).click();
  await checkPage(page, 'a suppressed address');
  await page.getByRole('button', { name: 'Remove from list' }).click();
  await page.getByText('No suppressed addresses').waitFor();
  await checkPage(page, 'no suppressed addresses');

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Bounces and complaints' }).click();
  await page.getByLabel('Email provider').selectOption('Postmark');
  await page.getByLabel('Webhook password').fill('too-short');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must have at least 16 characters').first().waitFor();
  await page.getByLabel('Webhook password').fill('a-password-that-is-long');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  assert.equal(await page.getByLabel('Webhook password').inputValue(), '****long');
  await checkPage(page, 'the email provider');
});

test('the list, an issue and its subscribers fit a 360 px screen in dark mode', options, async () => {
  const [newsletter] = await souk.collections.list({ slug: 'letter' }).take(1);
  await souk.entries.create({
    collectionId: newsletter!.id,
    status: 'DRAFT',
    blocks: [
      { id: 'subject', value: 'A letter' },
      { id: 'body', value: '<p>Hello.</p>' },
    ],
  });
  const page = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await goTo(page, 'Newsletters');
  await page.getByRole('link', { name: 'Letter from the shop' }).click();
  await page.getByRole('link', { name: 'A letter' }).click();
  await page.frameLocator('iframe[title="Preview"]').getByText('Hello.').waitFor();
  await checkPage(page, 'the issue');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Subscribers' }).click();
  await page.getByRole('button', { name: 'Add subscriber' }).waitFor();
  await checkPage(page, 'the subscribers');
  await page.getByRole('link', { name: 'Edit newsletter' }).click();
  await page.getByLabel('Double opt-in').waitFor();
  await checkPage(page, 'the newsletter');
});
