/** Checks a page for accessibility and overflow. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The axe violations, one per line. `colors`: only those that depend on colors, for a page already checked in other colors. */
export async function axeProblems(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  // Loads axe once per page, because loading takes a fifth of the time of a check.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async (runOnly) => {
      const options = { resultTypes: ['violations'], preload: false, ...(runOnly && { runOnly }) };
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
      const { violations } = await (globalThis as any).axe.run(options);
      return violations.flatMap((violation: { id: string; nodes: { html: string }[] }) =>
        violation.nodes.map(({ html }) => `${violation.id}: ${html}`),
      );
    },
    rules === 'colors' ? COLOR_RULES : null,
  );
}

/** The number of pixels by which the page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the page.
    const { document, innerWidth } = globalThis as any;
    return document.documentElement.scrollWidth - innerWidth;
  });
