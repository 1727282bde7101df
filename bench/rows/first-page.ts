import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { plainLine, type Row } from '../types.ts';

const STARTS = 7;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/**
 * From the first navigation in a new browser until the buttons of the demo shop appear. Skipped without Chromium.
 */
export const firstPage: Row = {
  name: 'first-page',
  async run() {
    if (!existsSync(executablePath)) return [];
    const folder = mkdtempSync(join(tmpdir(), 'souk-first-page-'));
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' };
    const service = spawn(process.execPath, [MAIN, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(service, 'exit');
    try {
      const url = await addressIn(service.stdout);
      const taken: number[] = [];
      for (let start = 0; start < STARTS; start++) taken.push(await msToButtons(url));
      taken.sort((a, b) => a - b);
      const middle = taken[Math.floor(STARTS / 2)]!;
      return [
        plainLine({
          operation: "The shop's first page, usable in a cold browser",
          ours: `${Math.round(middle)} ms (${Math.round(taken[0]!)} to ${Math.round(taken.at(-1)!)})`,
          goal: '< 1000 ms',
          met: middle < 1000,
        }),
      ];
    } finally {
      service.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /^Souk is running at +(\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The demo shop did not start.');
}

async function msToButtons(url: string): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const startedAt = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Add to cart' }).first().waitFor();
    return performance.now() - startedAt;
  } finally {
    await browser.close();
  }
}
