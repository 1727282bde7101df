/** Writes docs/openapi.json from the routes' schemas; with --check, fails when the file is not what the routes say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { createService } from '../src/app.ts';
import { testConfig } from '../test/config.ts';
import { cloneDatabase } from '../test/harness.ts';
import { globalSetup, globalTeardown } from '../test/setup.ts';

const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

await globalSetup();
const service = await createService({
  config: testConfig({}, '/nonexistent'),
  target: await cloneDatabase(),
  log: pino({ level: 'silent' }),
  works: false,
});
const answer = await fetch(`${await service.listen()}/openapi.json`);
if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}: ${await answer.text()}`);
const text = `${JSON.stringify(await answer.json(), null, 2)}\n`;
await service.stop();
await globalTeardown();

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is not what the routes say. Run npm run openapi and read the difference.\n');
  process.exit(1);
}
