/**
 * `npm run test:upgrade`: the previous version, taken from git, runs its tests of the hot paths on this version's schema, and both
 * run side by side. So an upgrade can migrate first and replace processes one by one. `test/upgrade/previous-version` contains
 * the previous version's commit. Without that file, the upgrade to this version requires downtime.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The hot paths of customers and workers. */
const HOT_PATHS = [
  'test/orders/checkout.test.ts',
  'test/orders/orders.test.ts',
  'test/orders/races.test.ts',
  'test/catalog/products.test.ts',
  'test/catalog/lists.test.ts',
  'test/catalog/search.test.ts',
  'test/catalog/stock.test.ts',
  'test/accounts/sessions/*.test.ts',
  'test/newsletters/subscriptions/*.test.ts',
  'test/newsletters/sends/sending.test.ts',
  'test/jobs/*.test.ts',
  'test/http/idempotency.test.ts',
];

const named = join(root, 'test/upgrade/previous-version');
const previous = existsSync(named) ? readFileSync(named, 'utf8').trim() : null;

const hasHistory = (commit: string) =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' }).status === 0;

/** The previous version with this version's migrations. */
function unpack(commit: string, folder: string): string[] {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  const had = new Set(readdirSync(join(folder, 'migrations')));
  rmSync(join(folder, 'migrations'), { recursive: true });
  cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return readdirSync(join(folder, 'migrations')).filter((name) => !had.has(name));
}

function run(): number {
  if (previous === null) {
    process.stdout.write('Skipped: the upgrade to this version requires downtime.\n');
    return 0;
  }
  if (!hasHistory(previous)) {
    process.stdout.write(`Skipped: commit ${previous} is not in this clone. Fetch the full history first.\n`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'souk-previous-'));
  try {
    const fresh = unpack(previous, folder);
    const newer = fresh.length > 0 ? fresh.join(', ') : 'none';
    process.stdout.write(`Version ${previous.slice(0, 12)} on this version's schema. New migrations: ${newer}.\n`);
    const files = HOT_PATHS.filter((path) => path.includes('*') || existsSync(join(folder, path)));
    const alone = spawnSync(process.execPath, ['test/run.ts', ...files], { cwd: folder, stdio: 'inherit' });
    const together = spawnSync(process.execPath, ['test/run.ts', 'test/upgrade/side-by-side.test.ts'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SOUK_PREVIOUS: folder },
    });
    return alone.status || (together.status ?? 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(run());
