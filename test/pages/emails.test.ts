/** Every email in every language, as a browser shows it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { LONG, listMails } from '../businesses/mails/every-mail.ts';
import { startHarness } from '../harness.ts';
import { openPage, skip } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const mails = await listMails(await startHarness(), LONG);

/** In dark mode, only the colors differ. */
const SCHEMES = {
  'no email is wider than the screen at 320, 480, 600 and 800 px or has axe violations': {
    colorScheme: 'light',
    widths: [320, 480, 600, 800],
    checks: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  },
  'every email is readable in dark mode': {
    colorScheme: 'dark',
    widths: [],
    checks: ['color-contrast', 'link-in-text-block'],
  },
} as const;

for (const [title, { colorScheme, widths, checks }] of Object.entries(SCHEMES)) {
  test(title, {
    skip,
    timeout: 300_000,
  }, async () => {
    const page = await openPage({ colorScheme });
    const run = `axe.run({ runOnly: ${JSON.stringify(checks)}, resultTypes: ['violations'], preload: false })`;
    for (const { name, html } of mails) {
      await page.setContent(html);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok((wider as number) <= 0, `${name} at ${width} px`);
      }
      if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
      const violations = await page.evaluate(
        `${run}.then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      );
      assert.deepEqual(violations, [], name);
    }
  });
}
