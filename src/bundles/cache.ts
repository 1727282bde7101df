/** Caches bundles on disk, so that a restart or another process can reuse bundles built from the same sources. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './build.ts';
import { type Bundle, type BundleName, ENTRIES } from './bundle.ts';

const FOLDER = join(ROOT, 'node_modules/.cache/souk-bundles');
/** Bundles that the npm package ships instead of their sources. */
const PACKAGED = join(ROOT, 'bundles');

const DAY_MS = 86_400_000;

type Manifest = Pick<Bundle, 'script' | 'preloads' | 'styles'> & { types: Record<string, string> };

/** A hash of every file that the bundle is built from. */
export function sourceKey(name: BundleName, variant: string): string {
  const hash = createHash('sha256').update(variant);
  for (const part of [dirname(ENTRIES[name]), 'client/src', 'src/bundles', 'src/pages/assets']) {
    const folder = join(ROOT, part);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      hash.update(file.slice(ROOT.length)).update(readFileSync(file));
    }
  }
  hash.update(readFileSync(join(ROOT, 'package-lock.json')));
  return hash.digest('hex').slice(0, 24);
}

export const isPackaged = existsSync(PACKAGED);

export const readPackaged = (name: BundleName) => readBundle(join(PACKAGED, name));

export const readCached = (name: BundleName, key: string) => readBundle(join(FOLDER, `${name}-${key}`));

/** Returns null if the bundle or one of its files is missing. */
function readBundle(folder: string): Bundle | null {
  try {
    const { types, ...manifest } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const files = Object.entries(types).map(([file, type]) => {
      const path = join(folder, file);
      return [file, { body: readFileSync(path), brotli: readFileSync(`${path}.br`), type }] as const;
    });
    return { ...manifest, files: new Map(files) };
  } catch {
    return null;
  }
}

/**
 * Stores a bundle with an atomic rename. If two processes build the same bundle at once, the first one wins. If the folder is not
 * writable, each process builds its own.
 */
export function writeCached(name: BundleName, key: string, bundle: Bundle): void {
  const part = join(FOLDER, `${name}-${key}.${process.pid}`);
  try {
    writeBundle(part, bundle);
    renameSync(part, join(FOLDER, `${name}-${key}`));
    deleteOld(name);
  } catch {
    rmSync(part, { recursive: true, force: true });
  }
}

export function writeBundle(folder: string, { files, ...manifest }: Bundle): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, { body, brotli }] of files) {
    writeFileSync(join(folder, file), body);
    writeFileSync(join(folder, `${file}.br`), brotli);
  }
  const types = Object.fromEntries([...files].map(([file, { type }]) => [file, type]));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, types }));
}

/** Deletes old bundles. Processes that still use one have it in memory. */
function deleteOld(name: BundleName): void {
  for (const entry of readdirSync(FOLDER)) {
    const folder = join(FOLDER, entry);
    if (!entry.startsWith(`${name}-`) || Date.now() - statSync(folder).mtimeMs < DAY_MS) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}
