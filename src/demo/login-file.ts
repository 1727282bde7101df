/** The login of the demo shop in development. The admin's login page fills it in with one click. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DemoSecrets } from './index.ts';

type DemoLogin = Pick<DemoSecrets, 'email' | 'password'>;

const pathIn = (dataDir: string) => join(dataDir, 'demo-login.json');

export async function writeDemoLogin(dataDir: string, { email, password }: DemoLogin): Promise<void> {
  await mkdir(dirname(pathIn(dataDir)), { recursive: true });
  await writeFile(pathIn(dataDir), JSON.stringify({ email, password }), { mode: 0o600 });
}

/** Null if there is no demo shop. */
export async function readDemoLogin(dataDir: string): Promise<DemoLogin | null> {
  try {
    return JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as DemoLogin;
  } catch {
    return null;
  }
}
