/**
 * `npm run test:citus`: the suite on a Citus cluster, from the binaries in CITUS_BIN (docs/scaling.md says how to build them);
 * `npm run test:citus -- test/orders/*.test.ts` for some files only.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const { CITUS_BIN = '' } = process.env;
if (!existsSync(join(CITUS_BIN, 'postgres'))) {
  process.stderr.write(
    'CITUS_BIN must name the folder of a postgres and initdb that have Citus. See docs/scaling.md.\n',
  );
  process.exit(1);
}
const files = process.argv.length > 2 ? process.argv.slice(2) : ['others', 'crashes'];
const { status } = spawnSync(process.execPath, ['test/run.ts', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
