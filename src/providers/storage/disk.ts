import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exactly } from './exactly.ts';
import { orAway, type Storage, type StoredObject } from './port.ts';

/** Files up to this size are read at once: that is faster than a stream, and still little memory. */
const SMALL_BYTES = 262_144;

/**
 * Files in a folder. A file is written under a name that nobody looks at, flushed to the disk and then renamed, so that it is
 * there whole or not at all, also after a crash. `scraps` holds what is being written.
 */
export function diskStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, key);
  const scraps = join(folder, 'scraps');
  const newScrap = () => join(scraps, randomUUID());

  /** Only once it is on the disk it gets its name. */
  async function publish(from: string, to: string): Promise<void> {
    await flush(from);
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
      // The folder was empty, and was removed in between.
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
    });
    await flush(dirname(to));
  }

  /** Writes a file and publishes it; what was not finished is removed. */
  async function write(key: string, fill: (path: string) => Promise<void>): Promise<void> {
    const scrap = newScrap();
    try {
      await orAway(fill(scrap));
      await orAway(publish(scrap, pathOf(key)));
    } finally {
      await rm(scrap, { force: true });
    }
  }

  return {
    async check() {
      await orAway(mkdir(scraps, { recursive: true }));
    },
    putFile: (key, path) => orAway(publish(path, pathOf(key))),
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
      // A repeat finds it moved already.
      if ((await exists(pathOf(to))) && !(await exists(pathOf(from)))) return;
      await orAway(publish(pathOf(from), pathOf(to)));
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
    async deleteScraps(beforeSeconds) {
      for (const name of await readdir(scraps).catch(() => [])) {
        const found = await stat(join(scraps, name)).catch(() => null);
        if (found && found.mtimeMs / 1000 < beforeSeconds)
          await rm(join(scraps, name), { recursive: true, force: true });
      }
    },
  };
}

/** A folder may hold a million files: they are read one after the other. */
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

/** Of a file or a folder: what it holds by now is on the disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
