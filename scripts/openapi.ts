/** Generates docs/openapi.json from the routes' schemas; with --check, fails if the file is outdated. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { createService } from '../src/app.ts';
import { testConfig } from '../test/config.ts';
import { cloneDatabase } from '../test/databases.ts';

const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

const service = await createService({
  config: testConfig({}, '/nonexistent'),
  target: await cloneDatabase(),
  log: pino({ level: 'silent' }),
  works: false,
});
const response = await fetch(`${await service.listen()}/openapi.json`);
if (!response.ok) throw new Error(`/openapi.json returned ${response.status}: ${await response.text()}`);
const text = `${JSON.stringify(await response.json(), null, 2)}\n`;
await service.stop();

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is outdated. Run npm run openapi and review the diff.\n');
  process.exit(1);
}
