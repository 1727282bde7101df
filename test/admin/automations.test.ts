import assert from 'node:assert/strict';
import test from 'node:test';
import { skip } from '../pages/browser.ts';
import { eventually } from '../service.ts';
import { checkPage, goTo, mailed, startAdmin } from './browser.ts';

const { shop, souk, open } = await startAdmin();
const options = { skip, timeout: 180_000 };

test(
  'a member writes a welcome sequence, turns it on, sees each person’s step, and removes a person',
  options,
  async () => {
    const page = await open();
    await goTo(page, 'Newsletters');
    await page.getByRole('link', { name: 'Automations' }).click();
    await page.getByRole('link', { name: 'New automation' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Welcome');
    await page.getByLabel('When').selectOption('Someone subscribes');
    await page.getByLabel('Newsletter', { exact: true }).selectOption('Letter from the shop');
    await page.getByRole('button', { name: 'Add email' }).click();
    const first = page.getByRole('group', { name: '1. Send an email' });
    await first.getByRole('button', { name: 'Write new email' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('Welcome aboard');
    await checkPage(page, 'the dialog');
    await dialog.getByRole('button', { name: 'Create draft' }).click();
    await first.getByText('Unpublished emails are skipped').waitFor();

    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('button', { name: 'Add tag', exact: true }).click();
    const tag = page.getByRole('group', { name: '3. Change tags' });
    await tag.getByLabel('Tag').fill('welcomed');
    await tag.getByLabel('Wait').fill('2');
    await page.getByText('After 2 days').waitFor();
    await checkPage(page, 'the flow');
    await page.getByRole('button', { name: 'Move Step 3 up' }).click();
    await page.getByRole('button', { name: 'Remove Step 3' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();

    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Step 1 › Email: Publish this email').waitFor();
    await checkPage(page, 'the refused automation');
    const [automation] = await souk.newsletters.listAutomations().take(1);
    const { collectionId } = automation!.trigger;
    const blocks = [
      { id: 'subject', type: 'TEXT' as const, value: 'Welcome aboard' },
      { id: 'body', type: 'TEXT' as const, value: '<p>Welcome aboard</p>' },
    ];
    await souk.entries.update(automation!.steps[0]!.entryId!, { blocks, statuses: [{ status: 'PUBLISHED' }] });
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Automation turned on').waitFor();

    for (const name of ['ada', 'grace']) {
      const consent = { source: 'On paper', at: 1 };
      await souk.newsletters.createSubscriber(collectionId, {
        email: `${name}@welcome.example`,
        planId: 'free',
        consent,
      });
    }
    await mailed(shop, 'ada@welcome.example', 'Welcome aboard');
    await eventually('both to wait for the tag', async () => {
      const { steps } = await souk.newsletters.countAutomation(automation!.id);
      return steps[0]!.sent === 2 && steps[1]!.waiting === 2;
    });
    await page.reload();
    await first.getByText('2 sent').waitFor();
    await page.getByText('2 waiting').waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('row', { name: /ada@welcome.example.*In progress/ }).waitFor();
    await checkPage(page, 'the people');
    await page.getByRole('button', { name: 'ada@welcome.example' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row', { name: /ada@welcome.example.*Left early.*Removed by your team/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Automation paused').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('row', { name: /Welcome.*1.*Paused/ }).waitFor();
    await checkPage(page, 'the list');
    assert.equal((await souk.newsletters.getAutomation(automation!.id)).enabled, false);
  },
);
