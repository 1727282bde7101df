/** Bundles on disk, so that a start, and each of several processes, finds what another has built from the same sources. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, ROOT } from './build.ts';

const FOLDER = join(ROOT, 'node_modules/.cache/souk-bundles');

const DAY_MS = 86_400_000;

type Manifest = Pick<Bundle, 'script' | 'preloads' | 'styles'> & { types: Record<string, string> };

/** Changes with every file that goes into the bundle. */
export function sourceKey(name: string, variant: string): string {
  const hash = createHash('sha256').update(variant);
  for (const part of [name, 'client/src', 'src/bundles', 'src/pages/assets']) {
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

/** Null: it is not there, or not whole. */
export function readCached(name: string, key: string): Bundle | null {
  const folder = join(FOLDER, `${name}-${key}`);
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
 * Appears whole or not at all; of two processes that build the same at once the first one's stays. Where the folder cannot be
 * written, each process builds for itself.
 */
export function writeCached(name: string, key: string, { files, ...manifest }: Bundle): void {
  const part = join(FOLDER, `${name}-${key}.${process.pid}`);
  try {
    mkdirSync(part, { recursive: true });
    for (const [file, { body, brotli }] of files) {
      writeFileSync(join(part, file), body);
      writeFileSync(join(part, `${file}.br`), brotli);
    }
    const types = Object.fromEntries([...files].map(([file, { type }]) => [file, type]));
    writeFileSync(join(part, 'manifest.json'), JSON.stringify({ ...manifest, types }));
    renameSync(part, join(FOLDER, `${name}-${key}`));
    deleteOld(name);
  } catch {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Whoever uses a bundle has it in memory. */
function deleteOld(name: string): void {
  for (const entry of readdirSync(FOLDER)) {
    const folder = join(FOLDER, entry);
    if (!entry.startsWith(`${name}-`) || Date.now() - statSync(folder).mtimeMs < DAY_MS) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}
