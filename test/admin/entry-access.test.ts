import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { checkPage, goTo, startAdmin } from './browser.ts';

const { souk, open } = await startAdmin();
const options = { skip, timeout: 120_000 };

test(
  'a member limits an issue to a plan, sets the end of its free part, and previews it as a visitor and as a subscriber',
  options,
  async () => {
    const newsletter = await souk.collections.create({
      name: 'Harbour letters',
      type: 'NEWSLETTER',
      plans: [
        { id: 'free', name: 'Free' },
        { id: 'club', name: 'Club', price: { amount: 500, currency: 'eur', interval: 'MONTHLY' } },
      ],
      blocks: [
        { id: 'subject', type: 'TEXT', label: 'Subject' },
        { id: 'body', type: 'TEXT', label: 'Text', settings: { variant: 'HTML' } },
      ],
    });
    const issue = await souk.entries.create({
      collectionId: newsletter.id,
      status: 'DRAFT',
      blocks: [
        { id: 'subject', value: 'The boats are back' },
        { id: 'body', value: '<p>Everyone sees the boats.</p>' },
      ],
    });
    const page = await open();
    await goTo(page, 'Newsletters');
    await page.getByRole('link', { name: 'Harbour letters' }).click();
    await page.getByRole('link', { name: 'The boats are back' }).click();
    await page.getByLabel('Who can read it').selectOption('Subscribers with certain plans');
    await page.getByRole('group', { name: 'Plans' }).getByLabel('Club').check();

    const text = page.getByRole('textbox', { name: 'Text' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.getByRole('button', { name: 'End of free preview' }).click();
    await page.keyboard.type('The club may come aboard.');
    await page.getByRole('button', { name: 'End of free preview', pressed: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Control+S');
    await page.getByText('Saved', { exact: true }).waitFor();
    const saved = await souk.entries.get(issue.id);
    assert.deepEqual([saved.access, saved.planIds], ['PLANS', ['club']]);
    const body = saved.blocks.find(({ id }) => id === 'body')?.value as string;
    assert.match(body, /boats\.<\/p><hr data-paywall[^>]*><p>The club/);

    // The cursor stays in place, although the service returns different markup for the divider.
    await page.keyboard.type(' with a coat');
    await page.getByRole('button', { name: 'Show preview' }).click();
    const post = page.frameLocator('iframe[title="Website preview"]');
    await post.getByText('Everyone sees the boats.').waitFor();
    assert.equal(await post.getByText('The club may come aboard').count(), 0, 'visitors see the free part');
    await page.getByRole('button', { name: 'Subscribers with access' }).click();
    await post.getByText('The club may come aboard with a coat.').waitFor();
    await checkPage(page, 'the issue with its preview');
    assert.equal(
      (await souk.entries.get(issue.id)).blocks.find(({ id }) => id === 'body')?.value,
      body,
      'nothing is saved',
    );
  },
);
