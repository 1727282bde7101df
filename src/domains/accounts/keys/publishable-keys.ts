/** Keys for pages. They identify the business and let guests log in from their origins. */
import type { Versioned } from '../../../context/index.ts';
import { conflict, forbidden, invalid, notFound, unauthenticated } from '../../../shared/errors.ts';
import type { EventType } from '../../../shared/events.ts';
import { newId } from '../../../shared/ids.ts';
import { type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { lockAsAdmin, requireStepUp } from '../../businesses/index.ts';
import type { Command, Query } from '../context.ts';
import { businessOfKey, newPublishableKey } from './api-keys.ts';
import { publishableSubject } from './page-origins.ts';
import {
  countPublishableKeys,
  deletePublishableKeyRow,
  findPublishableKey,
  insertPublishableKey,
  listPublishableKeyRows,
  lockPublishableKey,
  type PublishableKeyRow,
  updatePublishableKey,
} from './publishable-queries.ts';
import type { PublishableKey, PublishableKeyChange, PublishableKeyInput } from './publishable-schemas.ts';

/** Every process keeps the origins of all keys in memory. */
const MAX_KEYS = 50;

export async function listPublishableKeys(ctx: Query, query: PageQuery): Promise<Page<PublishableKey>> {
  const { db, cursors, businessId } = ctx;
  const scope = `publishable-keys:newest:${businessId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await listPublishableKeyRows(db, businessId, after as string | null, limit + 1);
  return cursors.page(scope, rows, limit, (row) => [row.id], shown);
}

export async function createPublishableKey(ctx: Command, input: PublishableKeyInput): Promise<PublishableKey> {
  const { businessId, now } = ctx;
  await requireStepUp(ctx, businessId);
  await lockAsAdmin(ctx, businessId);
  if ((await countPublishableKeys(ctx.db, businessId)) >= MAX_KEYS) {
    throw conflict(`A business can have up to ${MAX_KEYS} publishable keys. Delete one first.`);
  }
  const key = {
    businessId,
    id: newId('key'),
    name: input.name,
    value: newPublishableKey(businessId),
    origins: readOrigins(input.origins),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await insertPublishableKey(ctx.db, key);
  await emitAndPublish(ctx, 'publishable_key.created', key);
  return shown(key);
}

type Change = { id: string; change: PublishableKeyChange };

export async function changePublishableKey(ctx: Command, { id, change }: Change): Promise<Versioned<PublishableKey>> {
  const key = await getLocked(ctx, id);
  const changed = {
    ...key,
    name: change.name ?? key.name,
    origins: change.origins ? readOrigins(change.origins) : key.origins,
    version: key.version + 1,
    updatedAt: ctx.now,
  };
  await updatePublishableKey(ctx.db, changed);
  await emitAndPublish(ctx, 'publishable_key.updated', changed, key);
  return { record: shown(changed), version: changed.version };
}

export async function deletePublishableKey(ctx: Command, id: string): Promise<typeof SUCCESS> {
  const key = await getLocked(ctx, id);
  await deletePublishableKeyRow(ctx.db, ctx.businessId, id);
  await emitAndPublish(ctx, 'publishable_key.deleted', key);
  return SUCCESS;
}

/** Returns the business. Throws 401 for an unknown key, and 403 if the request's origin is missing or not listed. */
export async function checkPublishableKey(
  ctx: Pick<Query, 'quick' | 'accounts'>,
  value: string,
  origin: string | undefined,
): Promise<string> {
  const businessId = businessOfKey(value);
  const key =
    businessId === null
      ? null
      : await ctx.accounts.publishableKeys.get(value, () => findPublishableKey(ctx.quick, businessId, { value }));
  if (!key) throw unauthenticated('The publishable key is invalid or was deleted.');
  if (origin === undefined || !key.origins.includes(origin)) {
    throw forbidden('This publishable key is not allowed on this origin.');
  }
  return key.businessId;
}

async function getLocked(ctx: Command, id: string): Promise<PublishableKeyRow> {
  await requireStepUp(ctx, ctx.businessId);
  const key = await lockPublishableKey(ctx.db, ctx.businessId, id);
  if (!key) throw notFound('Publishable key');
  ctx.checkVersion(key.version);
  return key;
}

/** Emits the event, and clears the key in the caches of all processes. */
async function emitAndPublish(ctx: Command, type: EventType, key: PublishableKeyRow, previous?: PublishableKeyRow) {
  ctx.emit({ type, entity: `publishable_key:${key.id}`, data: shown(key), before: previous && shown(previous) });
  await ctx.publish(publishableSubject(ctx.businessId));
}

const shown = ({ version: _, ...key }: PublishableKeyRow): PublishableKey => key;

/** Normalized, so that they compare equal to the Origin header of browsers. */
function readOrigins(texts: readonly string[]): string[] {
  const origins = texts.map((text) => (/^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null));
  const errors = origins.flatMap((url, i) => {
    if (url && url.pathname === '/' && !url.search && !url.hash && !url.username) return [];
    const field = `origins[${i}]`;
    const message = `${field} must be an origin, for example https://shop.example.`;
    return [{ field, error: 'INVALID_FORMAT', message }];
  });
  if (errors.length > 0) throw invalid(errors);
  return [...new Set(origins.map((url) => url!.origin))];
}
