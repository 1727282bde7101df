import type { Db } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { type FieldError, invalidField } from '../../shared/errors.ts';
import { currentStatus } from '../../shared/statuses.ts';
import type { Businesses } from '../businesses/index.ts';
import type { Collection, Content, Entry } from '../content/index.ts';
import { renderEntry } from './render.ts';
import type { FrozenContent } from './send-queries.ts';

/** An entry and the newsletter that it belongs to. */
export type Source = { entry: Entry; collection: Collection };

export type SourceDeps = Deps & { content: Content; businesses: Businesses };

/** Raises 404 for an unknown entry, 422 for one that belongs to no newsletter. */
export async function readSource(
  { content }: SourceDeps,
  db: Db,
  businessId: string,
  entryId: string,
): Promise<Source> {
  const entry = await content.getEntry(db, businessId, entryId);
  const collectionId = /^collection:(.+)$/.exec(entry.owner)?.[1];
  if (collectionId === undefined) throw notNewsletter();
  const collection = await content.getCollection(db, businessId, collectionId);
  if (collection.type !== 'NEWSLETTER') throw notNewsletter();
  return { entry, collection };
}

export const isPublished = ({ entry }: Source) => currentStatus(entry.statuses) === 'PUBLISHED';

/** The mail that the entry is now. `errors`: what keeps it from being sent. */
export async function composeMail(
  { businesses, config, publicUrl }: SourceDeps,
  { entry, collection }: Source,
): Promise<{ content: FrozenContent; errors: FieldError[] }> {
  const business = await businesses.get(entry.businessId);
  const { content, errors } = renderEntry({
    ...{ entry, collection, businessName: business.name, publicUrl: publicUrl() },
  });
  const domain = /@([^<>@\s]+?)>?$/.exec(config.mailFrom)?.[1] ?? 'localhost';
  const { fromName, replyTo } = { ...business.configs.email, ...collection.settings };
  return {
    errors,
    content: {
      domain,
      mail: {
        ...content,
        fromName: fromName ?? business.name,
        ...(replyTo ? { replyTo } : {}),
        headers: {
          'List-Id': [`<${collection.id}.${business.id}.${domain}>`.replaceAll('_', '-')],
          'List-Unsubscribe': ['<', { variable: 'unsubscribeUrl' }, '>'],
          'List-Unsubscribe-Post': ['List-Unsubscribe=One-Click'],
          'Auto-Submitted': ['auto-generated'],
        },
      },
    },
  };
}

const notNewsletter = () =>
  invalidField('entryId', 'NOT_A_NEWSLETTER', 'Only entries of a collection of type NEWSLETTER can be sent.');
