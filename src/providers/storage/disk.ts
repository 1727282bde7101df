import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exactly } from './exactly.ts';
import { orUnavailable, type Storage, type StoredObject } from './port.ts';

/** Files up to this size are read in one call, which is faster than a stream and still uses little memory. */
const SMALL_BYTES = 262_144;

/**
 * Stores files in a folder. A file is written under a temporary name, flushed to disk and then renamed, so that it is
 * complete or absent, even after a crash. `scraps` contains files being written.
 */
export function diskStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, key);
  const temporary = join(folder, 'scraps');
  const newTemporaryPath = () => join(temporary, randomUUID());

  /** Flushes the file, then renames it. */
  async function publish(from: string, to: string): Promise<void> {
    await flush(from);
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
      // The folder was empty and has just been removed.
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
    });
    await flush(dirname(to));
  }

  /** Writes a file and publishes it; an unfinished file is removed. */
  async function write(key: string, fill: (path: string) => Promise<void>): Promise<void> {
    const temporaryPath = newTemporaryPath();
    try {
      await orUnavailable(fill(temporaryPath));
      await orUnavailable(publish(temporaryPath, pathOf(key)));
    } finally {
      await rm(temporaryPath, { force: true });
    }
  }

  return {
    async check() {
      await orUnavailable(mkdir(temporary, { recursive: true }));
    },
    putFile: (key, path) => orUnavailable(publish(path, pathOf(key))),
    putStream: (key, body, size) =>
      write(key, (path) => pipeline(body, exactly(size), createWriteStream(path, { flags: 'wx' }))),
    presignPut: async () => null,
    concat: (keys, to) =>
      write(to, (path) =>
        pipeline(
          async function* () {
            for (const key of keys) yield* createReadStream(pathOf(key), { highWaterMark: SMALL_BYTES });
          },
          createWriteStream(path, { flags: 'wx' }),
        ),
      ),
    async move(from, to) {
      // On a retry, the file has already been moved.
      if ((await exists(pathOf(to))) && !(await exists(pathOf(from)))) return;
      await orUnavailable(publish(pathOf(from), pathOf(to)));
    },
    async open(key, range) {
      const file = await openFile(pathOf(key));
      if (!file) return null;
      try {
        const { size } = await file.stat();
        const start = range?.start ?? 0;
        const end = Math.min(range?.end ?? size - 1, size - 1);
        const length = end - start + 1;
        if (length > SMALL_BYTES)
          return { body: file.createReadStream({ start, end, highWaterMark: SMALL_BYTES }), size };
        const buffer = Buffer.allocUnsafe(Math.max(0, length));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
        await file.close();
        return { body: buffer.subarray(0, bytesRead), size };
      } catch (error) {
        await file.close().catch(() => {});
        throw error;
      }
    },
    async findSize(key) {
      const found = await stat(pathOf(key)).catch(() => null);
      return found?.isFile() ? found.size : null;
    },
    list: (below) => walk(folder, below),
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
      for (const emptied of new Set(keys.map((key) => dirname(pathOf(key))))) await rmdir(emptied).catch(() => {});
    },
    async deleteTemporaryFiles(beforeSeconds) {
      for (const name of await readdir(temporary).catch(() => [])) {
        const found = await stat(join(temporary, name)).catch(() => null);
        if (found && found.mtimeMs / 1000 < beforeSeconds)
          await rm(join(temporary, name), { recursive: true, force: true });
      }
    },
  };
}

/** Streams the listing, because a folder can contain a million files. */
async function* walk(root: string, below: string): AsyncGenerator<StoredObject> {
  const folder = await opendir(join(root, below)).catch(() => null);
  if (!folder) return;
  for await (const entry of folder) {
    const key = `${below}${entry.name}`;
    if (entry.isDirectory()) yield* walk(root, `${key}/`);
    else {
      const found = await stat(join(root, key)).catch(() => null);
      if (found) yield { key, size: found.size, modifiedAtSeconds: Math.floor(found.mtimeMs / 1000) };
    }
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw error;
  }
}

/** Flushes a file or folder to disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
