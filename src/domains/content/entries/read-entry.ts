import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { recordJson } from '../../../shared/etag.ts';
import { withAddresses } from '../../../shared/own-addresses.ts';
import { isContentStaff, visibleStatuses } from '../access.ts';
import type { Query } from '../context.ts';
import { findEntryDocument } from './queries.ts';

/** As the JSON it is stored as. What the caller may not see is not there. */
export async function readEntry(ctx: Query, id: string): Promise<Versioned<Buffer>> {
  const { businessId, content } = ctx;
  const cache = content.documents.for(ctx);
  const known = cache.find(businessId, id);
  const row = await findEntryDocument(ctx.quick, businessId, id, {
    knownVersion: known?.version,
    isStaff: isContentStaff(ctx),
  });
  if (!row) throw notFound('Entry');
  const { version, owner, status, doc } = row;
  const visible = visibleStatuses(ctx, owner);
  if (!(visible instanceof Promise ? await visible : visible).includes(status)) throw notFound('Entry');
  const listed = doc === null ? known!.doc : cache.keep(businessId, id, version, withAddresses(doc, ctx.publicUrl()));
  return { record: recordJson(listed, version), version };
}
