import type { Versioned } from '../../../context/index.ts';
import { violatesUnique } from '../../../db/errors.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../../shared/errors.ts';
import { keptId, type PreviousIdentity } from '../../../shared/ids.ts';
import { addTotal, type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { extendHistory, sentStatuses } from '../../../shared/records/status-history.ts';
import type { StatusInput } from '../../../shared/records/status-schemas.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { existingProducts } from '../../catalog/index.ts';
import type { Command, Query } from '../context.ts';
import { checkConditions, checkDiscounts } from './parts.ts';
import {
  countPromos,
  deletePromo,
  findPromo,
  insertPromo,
  listPromos,
  lockPromo,
  type PromoRow,
  updatePromo,
} from './queries.ts';
import { useLimit } from './rules.ts';
import {
  PROMO_STATUSES,
  type PromoCode,
  type PromoCondition,
  type PromoDiscount,
  type PromoInput,
  type PromoListQuery,
  type PromoUpdate,
} from './schemas.ts';

export const viewPromo = ({ businessId, id, code, doc, uses, createdAt, updatedAt }: PromoRow): PromoCode => ({
  id,
  businessId,
  code,
  discounts: doc.discounts,
  conditions: doc.conditions,
  statuses: doc.statuses,
  uses,
  createdAt,
  updatedAt,
});

const versioned = (row: PromoRow): Versioned<PromoCode> => ({ record: viewPromo(row), version: row.version });

/** `kept` is set by imports. */
type NewPromo = { input: PromoInput; kept?: PreviousIdentity };

export const createPromo = (ctx: Command, input: PromoInput): Promise<PromoCode> => addPromo(ctx, { input });

export async function addPromo(ctx: Command, { input, kept = {} }: NewPromo): Promise<PromoCode> {
  const { businessId, now } = ctx;
  const id = keptId('promo', kept.id);
  const times = { createdAt: kept.createdAt ?? now, updatedAt: kept.updatedAt ?? now };
  const parts = await readParts(ctx, input);
  const row = complete(
    { businessId, id, uses: 0, version: 1, ...times },
    input.code,
    { discounts: parts.discounts ?? [], conditions: parts.conditions ?? [] },
    extendStatuses(ctx, [], sentStatuses(input)),
  );
  await insertPromo(ctx.db, row).catch(rejectDuplicate);
  const data = viewPromo(row);
  ctx.emit({ type: 'promo_code.created', entity: `promo_code:${row.id}`, data });
  return data;
}

export async function changePromo(
  ctx: Command,
  { id, changes }: { id: string; changes: PromoUpdate },
): Promise<Versioned<PromoCode>> {
  const parts = await readParts(ctx, changes);
  const row = await lockPromo(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Promo code');
  ctx.checkVersion(row.version);
  const next = complete(
    { ...row, version: row.version + 1, updatedAt: ctx.now },
    changes.code ?? row.code,
    { discounts: parts.discounts ?? row.doc.discounts, conditions: parts.conditions ?? row.doc.conditions },
    extendStatuses(ctx, row.doc.statuses, sentStatuses(changes, row.doc.statuses)),
  );
  await updatePromo(ctx.db, next).catch(rejectDuplicate);
  const entity = `promo_code:${id}` as const;
  ctx.emit({ type: 'promo_code.updated', entity, data: viewPromo(next), before: viewPromo(row) });
  return versioned(next);
}

/** Orders that used the code keep their discount. */
export async function removePromo(ctx: Command, id: string): Promise<typeof SUCCESS> {
  const row = await lockPromo(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Promo code');
  ctx.checkVersion(row.version);
  await deletePromo(ctx.db, ctx.businessId, id);
  ctx.emit({ type: 'promo_code.deleted', entity: `promo_code:${id}`, data: viewPromo(row) });
  return SUCCESS;
}

export async function readPromo({ db, businessId }: Query, id: string): Promise<Versioned<PromoCode>> {
  const row = await findPromo(db, businessId, id);
  if (!row) throw notFound('Promo code');
  return versioned(row);
}

export async function readPromos(
  { replica: db, businessId, cursors }: Query,
  { status, statuses = status && [status], query, cursor, count, ...page }: PromoListQuery,
): Promise<Page<PromoCode>> {
  const limit = pageLimit(page.limit);
  const scope = `promo-codes:newest:${businessId}`;
  const after = cursors.decode(scope, cursor) as [number, string] | null;
  const prefix = query?.trim().toLowerCase() || undefined;
  const rows = await listPromos(db, businessId, { statuses, prefix, after, limit: limit + 1 });
  const promos = cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.createdAt, row.id],
    (row) => ({ ...viewPromo(row), etag: etagOf(row.version) }),
    ({ docBytes }) => docBytes,
  );
  return addTotal(promos, { count }, () => countPromos(db, businessId, { statuses, prefix }));
}

type Parts = { discounts: PromoDiscount[] | null; conditions: PromoCondition[] | null };

/** Parts are null if omitted. Throws a 422 that lists every error, including products of other businesses. */
async function readParts({ db, businessId }: Command, input: PromoUpdate): Promise<Parts> {
  const errors: FieldError[] = [];
  const discounts = input.discounts ? checkDiscounts(input.discounts, errors) : null;
  const conditions = input.conditions ? checkConditions(input.conditions, errors) : null;
  const named = (conditions ?? []).flatMap((condition) => (condition.type === 'PRODUCTS' ? condition.value : []));
  const existing = new Set(named.length > 0 ? await existingProducts(db, businessId, named) : []);
  for (const [i, condition] of (conditions ?? []).entries()) {
    if (condition.type !== 'PRODUCTS') continue;
    for (const [j, id] of condition.value.entries()) {
      if (existing.has(id)) continue;
      errors.push({
        field: `conditions[${i}].value[${j}]`,
        error: 'NOT_FOUND',
        message: `Product ${id} does not exist.`,
      });
    }
  }
  if (errors.length > 0) throw invalid(errors);
  return { discounts, conditions };
}

function complete(
  row: Pick<PromoRow, 'businessId' | 'id' | 'uses' | 'version' | 'createdAt' | 'updatedAt'>,
  code: string,
  parts: { discounts: PromoDiscount[]; conditions: PromoCondition[] },
  statuses: PromoRow['doc']['statuses'],
): PromoRow {
  return {
    ...row,
    code,
    codeKey: code.toLowerCase(),
    doc: { ...parts, statuses },
    status: statuses.at(-1)!.status,
    maxUses: useLimit(parts.conditions, 'MAX_USES'),
    maxUsesPerUser: useLimit(parts.conditions, 'MAX_USES_PER_USER'),
  };
}

const extendStatuses = (
  { caller, businessId, now: nowSeconds }: Command,
  history: PromoRow['doc']['statuses'],
  incoming: StatusInput[] | undefined,
) => extendHistory({ history, incoming, allowed: PROMO_STATUSES, initial: 'ACTIVE', caller, businessId, nowSeconds });

function rejectDuplicate(error: unknown): never {
  if (violatesUnique(error, 'promo_codes_code')) {
    throw invalidField('code', 'DUPLICATE', 'code is already used by another promo code.');
  }
  throw error;
}
