/**
 * The interface of file storage. We choose the keys, which are paths such as `public/biz_1/3f/3f2a….jpg`. An object
 * never changes and is written atomically. Files are never held in memory as a whole.
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

/** Both ends are inclusive. */
export type ByteRange = { start: number; end: number };
export type StoredObject = { key: string; size: number; modifiedAtSeconds: number };
/** Response headers for clients that access storage directly, such as a CDN. */
export type ObjectHeaders = { contentType: string; contentDisposition?: string };

/** Storage is full or unreachable. */
export class StorageUnavailable extends Error {}

/** Storage rejects our credentials or requests; a retry does not help. */
export class StorageRefused extends Error {}

/** A stream did not have the expected length. */
export class WrongSize extends Error {}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE']);

/** Reports a full or unwritable disk as an outage rather than an invalid upload. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!FULL.has(code)) throw error;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    throw new StorageUnavailable(
      isFull ? 'The server has no space left for files.' : `Files can't be written (${code}).`,
      {
        cause: error,
      },
    );
  }
}

export type Storage = {
  /** Throws `StorageRefused` or `StorageUnavailable`. */
  check(): Promise<void>;
  /** Takes ownership of a local file. */
  putFile(key: string, path: string, headers: ObjectHeaders): Promise<void>;
  /** Stores exactly `size` bytes, or throws and stores nothing. */
  putStream(key: string, body: Readable, size: number): Promise<void>;
  /** Returns a temporary URL that accepts the object with PUT, or null if uploads must go through the service. */
  presignPut(key: string, expireSeconds: number): Promise<string | null>;
  /** Joins several objects into one; the originals are kept. On S3, each except the last must be at least 5 MiB. */
  concat(keys: readonly string[], to: string): Promise<void>;
  /** Renames within the storage. Safe to repeat. */
  move(from: string, to: string, headers: ObjectHeaders): Promise<void>;
  /** Returns null if missing. `size` is the size of the whole object. A small object can be returned as a buffer. */
  open(key: string, range?: ByteRange): Promise<{ body: Readable | Buffer; size: number } | null>;
  /** The size, or null. */
  findSize(key: string): Promise<number | null>;
  /** All keys under a folder such as `public/`. */
  list(folder: string): AsyncIterable<StoredObject>;
  /** Missing objects count as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes incomplete writes that started before this time. */
  deleteTemporaryFiles(beforeSeconds: number): Promise<void>;
};
