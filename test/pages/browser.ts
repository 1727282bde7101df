/** Chromium. Tests that need it are skipped where it isn't installed, unless BROWSER_TESTS is `required`. */
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));

const isOptional = process.env.BROWSER_TESTS !== 'required';
export const skip = executablePath === undefined && isOptional && 'Chromium is not installed';

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** A page with its own cookies. Hosts such as `shop.example` are this machine. */
export async function openPage(options: BrowserContextOptions = {}) {
  browser ??= chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  });
  const context = await (await browser).newContext(options);
  return context.newPage();
}
