/** A real browser for the tests of pages; without one on the machine those tests are skipped. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterEachFile } from '../each-file.ts';

const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));

export const skip = executablePath === undefined && 'there is no Chromium on this machine';

let browser: Promise<Browser> | undefined;
afterEachFile(async () => {
  await (await browser)?.close();
  browser = undefined;
});

/** A page with its own cookies. */
export async function openPage(options: BrowserContextOptions = {}) {
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const context = await (await browser).newContext(options);
  return context.newPage();
}
