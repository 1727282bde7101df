import { invalidField, ServiceError } from '../../../shared/errors.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { type BusinessRow, getBusiness } from '../../businesses/index.ts';
import { type Collection, type Entry, getCollection, getEntry } from '../../content/index.ts';
import type { Reading } from '../context.ts';

type WithVersion<T> = T & { version: number };

/** Everything that a mail is made of: an entry, the newsletter that it belongs to, and the business. */
export type Source = { entry: WithVersion<Entry>; collection: WithVersion<Collection>; business: BusinessRow };

/** Raises 404 for an unknown entry, 422 for one that belongs to no newsletter. */
export async function readSource(ctx: Reading, entryId: string): Promise<Source> {
  const { db, businessId } = ctx;
  const entry = await getEntry(db, businessId, entryId);
  const collectionId = /^collection:(.+)$/.exec(entry.owner)?.[1];
  if (collectionId === undefined) throw notNewsletter();
  const collection = await getCollection(db, businessId, collectionId);
  if (collection.type !== 'NEWSLETTER') throw notNewsletter();
  return { entry, collection, business: await getBusiness(ctx, businessId) };
}

export const isPublished = ({ entry }: Source) => currentStatus(entry.statuses) === 'PUBLISHED';

/**
 * A mail is rendered before the transaction that stores it, because that takes CPU time. The transaction reads the source again
 * and calls this: raises `SourceChanged` when the mail is no longer what the entry is now.
 */
export function checkUnchanged(rendered: Source, current: Source): void {
  const isSame =
    rendered.entry.version === current.entry.version &&
    rendered.collection.version === current.collection.version &&
    rendered.business.version === current.business.version;
  if (!isSame) throw new SourceChanged();
}

/** The mail must be rendered again. */
export class SourceChanged extends ServiceError {
  constructor() {
    super('CONFLICT', 'The entry is being changed at this moment. Try again when that is done.');
  }
}

export const isSourceChanged = (error: unknown) => error instanceof SourceChanged;

const notNewsletter = () =>
  invalidField('entryId', 'NOT_A_NEWSLETTER', 'Only entries of a collection of type NEWSLETTER can be sent.');
