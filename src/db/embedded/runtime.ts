import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT, type User } from './programs.ts';

/** PostgreSQL refuses to run as root. Returns the user to run it as: the owner of the folder, or `nobody`. */
export async function userFor(folder: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = await fs.readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid = '65534', gid = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  const user = { uid: Number(uid), gid: Number(gid) };
  // After root restored a backup, the files belong to root.
  if (owner) await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, folder], { env: ENVIRONMENT });
  return user;
}

/** Temporary folders that PostgreSQL's user can access and in which no other user can replace our files. */
export async function temporaryRoots(user: User | undefined): Promise<string[]> {
  // The owner of `/` controls the machine. In some sandboxes, its user ID is not 0.
  const trusted = [0, process.getuid?.(), statSync('/').uid];
  const isSafe = (path: string): boolean => {
    const { uid, mode } = statSync(path);
    const isPrivate = trusted.includes(uid) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
    return isPrivate && (!user || (mode & 0o001) !== 0) && (path === '/' || isSafe(dirname(path)));
  };
  const candidates = await Promise.all([tmpdir(), '/tmp', '/var/tmp'].map((path) => fs.realpath(path).catch(() => '')));
  // Socket paths are limited to about 100 bytes; ours adds up to 40.
  const roots = [...new Set(candidates)].filter((path) => path && Buffer.byteLength(path) <= 60 && isSafe(path));
  if (roots.length === 0) throw new Error(`no safe temporary folder (tried ${tmpdir()}, /tmp and /var/tmp)`);
  return roots;
}

/** The same folder on every run, unless another user created it first. */
export async function socketFolder(root: string, dataDir: string, user: User | undefined): Promise<string> {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const usual = join(root, `souk-${hash}`);
  await fs.mkdir(usual, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = lstatSync(usual);
  const isOurs = [user?.uid, process.getuid?.()].includes(found.uid) && found.isDirectory();
  const path = isOurs && (found.mode & 0o777) === 0o700 ? usual : await fs.mkdtemp(`${usual}-`);
  if (user && lstatSync(path).uid !== user.uid) await fs.lchown(path, user.uid, user.gid);
  return path;
}
