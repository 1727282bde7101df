/**
 * `npm run test:upgrade`: the version before this one, taken from git, runs its tests of the hot paths on the schema of this one,
 * and both run side by side. So an upgrade can migrate first and replace processes one by one. `test/upgrade/former-version` names the commit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What customers and workers do all day. */
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

const former = readFileSync(join(root, 'test/upgrade/former-version'), 'utf8').trim();

const hasHistory = () =>
  spawnSync('git', ['cat-file', '-e', `${former}^{commit}`], { cwd: root, stdio: 'ignore' }).status === 0;

/** The former version with the migrations of this one. */
function unpack(folder: string): string[] {
  const archive = execFileSync('git', ['archive', former], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  const had = new Set(readdirSync(join(folder, 'migrations')));
  rmSync(join(folder, 'migrations'), { recursive: true });
  cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return readdirSync(join(folder, 'migrations')).filter((name) => !had.has(name));
}

function run(): number {
  if (!hasHistory()) {
    process.stdout.write(`Skipped: commit ${former} is not in this clone. Fetch the whole history first.\n`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'souk-former-'));
  try {
    const fresh = unpack(folder);
    const newer = fresh.length > 0 ? fresh.join(', ') : 'none';
    process.stdout.write(`Version ${former.slice(0, 12)} on the schema of this one. New migrations: ${newer}.\n`);
    const files = HOT_PATHS.filter((path) => path.includes('*') || existsSync(join(folder, path)));
    const alone = spawnSync(process.execPath, ['test/run.ts', ...files], { cwd: folder, stdio: 'inherit' });
    const together = spawnSync(process.execPath, ['test/run.ts', 'test/upgrade/side-by-side.test.ts'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SOUK_FORMER: folder },
    });
    return alone.status || (together.status ?? 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(run());
