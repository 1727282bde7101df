/**
 * Generates docs/schema.sql and docs/schema.md from a migrated database. `test/db/schema.test.ts` fails if they are
 * outdated.
 */
import { writeFileSync } from 'node:fs';
import { createPool } from '../src/db/pool.ts';
import { cloneDatabase } from '../test/databases.ts';
import { globalSetup, globalTeardown } from '../test/setup.ts';
import { schemaFiles } from './schema/files.ts';

await globalSetup();
const pool = createPool(await cloneDatabase(), { max: 1 });
for (const [file, text] of await schemaFiles(pool)) writeFileSync(file, text);
await pool.end();
await globalTeardown();
