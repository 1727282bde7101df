import { preconditionFailed } from '../errors.ts';

/** Increases with every change to a record. The version of a product also contains a stock version after a dot: `3.17`. */
export type Version = number | string;

export const etagOf = (version: Version) => `"${version}"`;

/**
 * Throws 412 if If-Match is set and doesn't contain the record's version. If `version` is a number, the stock part of a tag is ignored.
 */
export function checkIfMatch(ifMatch: string | undefined, version: Version): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const matches = (tag: string) =>
    tag === etagOf(version) || (typeof version === 'number' && tag.startsWith(`"${version}.`));
  if (!tags.some(matches)) throw preconditionFailed();
}
