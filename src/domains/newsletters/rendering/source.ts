import type { BlockValue } from '../../../shared/blocks/index.ts';
import { invalidField, ServiceError } from '../../../shared/errors.ts';
import type { MailProducts } from '../../../shared/mail/elements.ts';
import { currentStatus } from '../../../shared/records/status-history.ts';
import { type BusinessRow, getBusiness } from '../../businesses/index.ts';
import { type Collection, type Entry, getCollection, getEntry } from '../../content/index.ts';
import type { Reading } from '../context.ts';
import { listMailProducts } from './mail-products.ts';

type WithVersion<T> = T & { version: number };

/** The source of an email: an entry, its newsletter and the business. */
export type Source = {
  entry: WithVersion<Entry>;
  collection: WithVersion<Collection>;
  business: BusinessRow;
  /** The products in its rich text, with their current prices and stock. */
  products: MailProducts;
};

/**
 * Throws 404 for an unknown entry, 422 for an entry that does not belong to a newsletter. `edited` replaces the stored blocks.
 */
export async function readSource(ctx: Reading, entryId: string, edited?: BlockValue[]): Promise<Source> {
  const { db, businessId } = ctx;
  const stored = await getEntry(db, businessId, entryId);
  const entry = edited ? { ...stored, blocks: edited } : stored;
  const collectionId = /^collection:(.+)$/.exec(entry.owner)?.[1];
  if (collectionId === undefined) throw notANewsletter();
  const collection = await getCollection(db, businessId, collectionId);
  if (collection.type !== 'NEWSLETTER') throw notANewsletter();
  const business = await getBusiness(ctx, businessId);
  return { entry, collection, business, products: await listMailProducts(ctx, business, entry) };
}

export const isPublished = ({ entry }: Source) => currentStatus(entry.statuses) === 'PUBLISHED';

/**
 * An email is rendered before the transaction that stores it, because rendering takes CPU time. The transaction reads the source
 * again and calls this, which throws `SourceChanged` if the rendered email is outdated.
 */
export function checkUnchanged(rendered: Source, current: Source): void {
  const isSame =
    rendered.entry.version === current.entry.version &&
    rendered.collection.version === current.collection.version &&
    rendered.business.version === current.business.version;
  if (!isSame) throw new SourceChanged();
}

/** The email must be rendered again. */
class SourceChanged extends ServiceError {
  constructor() {
    super('CONFLICT', 'Someone else edited the entry. Try again.');
  }
}

export const isSourceChanged = (error: unknown) => error instanceof SourceChanged;

const notANewsletter = () => invalidField('entryId', 'NOT_A_NEWSLETTER', 'Only newsletter issues can be sent.');
