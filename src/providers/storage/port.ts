/**
 * Where files lie. A key is a path of our own making, such as `public/biz_1/3f/3f2a….jpg`; what is under a key never changes and
 * appears whole or not at all. Nothing here holds a file in memory.
 */
import type { Readable } from 'node:stream';

export type StorageSettings =
  | { type: 'disk'; folder: string; publicUrl: string | null }
  | {
      type: 's3';
      endpoint: string;
      bucket: string;
      region: string;
      key: string;
      secret: string;
      publicUrl: string | null;
    };

/** Both ends are part of it. */
export type ByteRange = { start: number; end: number };
export type StoredObject = { key: string; size: number; modifiedAtSeconds: number };
/** What a store that is asked directly, by a CDN, answers along with the file. */
export type ObjectHeaders = { contentType: string; contentDisposition?: string };

/** The store has no space left or cannot be reached. */
export class StorageAway extends Error {}

/** The store refuses us: it will not get better by itself. */
export class StorageRefused extends Error {}

/** A stream was not as long as it was said to be. */
export class WrongSize extends Error {}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE']);

/** A disk that is full or cannot be written is not the fault of whoever sent the file. */
export async function orAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!FULL.has(code)) throw error;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    throw new StorageAway(isFull ? 'There is no space left for files.' : `Files cannot be written (${code}).`, {
      cause: error,
    });
  }
}

export type Storage = {
  /** Raises `StorageRefused` or `StorageAway`. */
  check(): Promise<void>;
  /** Takes over a local file. */
  putFile(key: string, path: string, headers: ObjectHeaders): Promise<void>;
  /** `size` bytes exactly, or it raises and nothing is there. */
  putStream(key: string, body: Readable, size: number): Promise<void>;
  /** An address that takes the object in a PUT for a while. Null: it has to come through the service. */
  presignPut(key: string, expireSeconds: number): Promise<string | null>;
  /** Makes one object of several, which stay. On S3 each but the last needs 5 MiB. */
  concat(keys: readonly string[], to: string): Promise<void>;
  /** Renames within the store. May be repeated. */
  move(from: string, to: string, headers: ObjectHeaders): Promise<void>;
  /** Null: it is not there. `size` is that of the whole object. Of a small one all bytes may come at once. */
  open(key: string, range?: ByteRange): Promise<{ body: Readable | Buffer; size: number } | null>;
  /** The size, or null. */
  findSize(key: string): Promise<number | null>;
  /** All keys below a folder such as `public/`. */
  list(folder: string): AsyncIterable<StoredObject>;
  /** What is not there counts as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes what was begun before this time and never became an object. */
  deleteScraps(beforeSeconds: number): Promise<void>;
};
