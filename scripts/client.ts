/** Generates the client's types and methods from docs/openapi.json; with --check, fails if they are outdated. */
import { readFileSync, writeFileSync } from 'node:fs';
import { writeApi } from './client/api.ts';
import { readDocument } from './client/document.ts';
import { writeTypes } from './client/types.ts';

const document = readDocument(new URL('../docs/openapi.json', import.meta.url));
const files = { 'types.ts': writeTypes(document), 'api.ts': writeApi(document) };

for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../client/src/generated/${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`client/src/generated/${name} is outdated. Run npm run client.\n`);
    process.exit(1);
  }
}
