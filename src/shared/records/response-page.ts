import type { Version } from './etag.ts';
import type { SerializedJson } from './serializer.ts';

/** The part of a record that a list reads, enough to find its response in the cache. */
export type Listed = { id: string; version: Version };

/**
 * The responses of these records, in their order. `find` looks up the listed version in the cache. `read` reads the others and must check
 * again that the caller can see them, because a record may have changed since it was listed. With `isStrict`, returns null for an
 * inconsistent page: see `readConsistently`.
 */
export async function completePage<Row extends Listed>(
  rows: readonly Row[],
  find: (row: Row) => SerializedJson | undefined,
  read: (missing: Row[]) => Promise<(Listed & { body: SerializedJson })[]>,
  isStrict: boolean,
): Promise<SerializedJson[] | null> {
  const known = rows.map(find);
  const missing = rows.filter((_, i) => known[i] === undefined);
  if (missing.length === 0) return known as SerializedJson[];
  const listed = new Map(missing.map(({ id, version }) => [id, ownVersion(version)]));
  const found = new Map<string, SerializedJson>();
  for (const { id, version, body } of await read(missing)) {
    if (isStrict && listed.get(id) !== ownVersion(version)) return null;
    found.set(id, body);
  }
  return rows.flatMap(({ id }, i) => known[i] ?? found.get(id) ?? []);
}

/** The version without its stock part, which changes with every sale. */
const ownVersion = (version: Version) => Number.parseInt(String(version), 10);

const STRICT_TRIES = 3;

/** The first attempt may list records from a read replica. Documents are always read from the primary, because they are cached. */
export type Attempt = { isFirst: boolean; isStrict: boolean };

/**
 * A consistent page, even while many of its records change in one transaction: if a record changed between the list and the documents,
 * the page is read again. Under constant changes the last try accepts an inconsistent page.
 */
export async function readConsistently<T>(list: (attempt: Attempt) => Promise<T | null>): Promise<T> {
  for (let tries = 1; tries < STRICT_TRIES; tries++) {
    const page = await list({ isFirst: tries === 1, isStrict: true });
    if (page !== null) return page;
  }
  return (await list({ isFirst: false, isStrict: false }))!;
}
