import { type Tx, violatesUnique } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { newId } from '../../shared/ids.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { extendHistory, type StatusInput } from '../../shared/statuses.ts';
import { existingProducts } from '../catalog/index.ts';
import type { OrdersContext } from './context.ts';
import { checkConditions, checkDiscounts } from './promo-parts.ts';
import {
  deletePromo,
  findPromo,
  insertPromo,
  listPromos,
  lockPromo,
  type PromoRow,
  updatePromo,
} from './promo-queries.ts';
import { useLimit } from './promo-rules.ts';
import {
  PROMO_STATUSES,
  type PromoCode,
  type PromoCondition,
  type PromoDiscount,
  type PromoInput,
  type PromoListQuery,
  type PromoUpdate,
} from './promo-schemas.ts';

const SCOPE = 'promo-codes:newest';

export const viewPromo = ({ businessId, id, code, doc, uses, createdAt, updatedAt }: PromoRow): PromoCode => ({
  ...{ id, businessId, code, discounts: doc.discounts, conditions: doc.conditions, statuses: doc.statuses },
  ...{ uses, createdAt, updatedAt },
});

export async function createPromo(
  ctx: OrdersContext,
  tx: Tx,
  caller: Caller,
  businessId: string,
  input: PromoInput,
): Promise<PromoRow> {
  const now = ctx.deps.clock.seconds();
  const parts = await readParts(tx, businessId, input);
  const row = complete(
    { businessId, id: newId('promo'), uses: 0, version: 1, createdAt: now, updatedAt: now },
    input.code,
    { discounts: parts.discounts ?? [], conditions: parts.conditions ?? [] },
    history(caller, businessId, now, [], input.statuses),
  );
  await insertPromo(tx, row).catch(refuseDuplicate);
  return row;
}

export async function changePromo(
  ctx: OrdersContext,
  tx: Tx,
  caller: Caller,
  key: { businessId: string; id: string },
  input: PromoUpdate,
  ifMatch: string | undefined,
): Promise<PromoRow> {
  const { businessId } = key;
  const parts = await readParts(tx, businessId, input);
  const row = await lockPromo(tx, businessId, key.id);
  if (!row) throw notFound('Promo code');
  checkIfMatch(ifMatch, row.version);
  const now = ctx.deps.clock.seconds();
  const next = complete(
    { ...row, version: row.version + 1, updatedAt: now },
    input.code ?? row.code,
    { discounts: parts.discounts ?? row.doc.discounts, conditions: parts.conditions ?? row.doc.conditions },
    history(caller, businessId, now, row.doc.statuses, input.statuses),
  );
  await updatePromo(tx, next).catch(refuseDuplicate);
  return next;
}

/** Orders that used it keep their discount. */
export async function removePromo(
  tx: Tx,
  { businessId, id }: { businessId: string; id: string },
  ifMatch: string | undefined,
): Promise<void> {
  const row = await lockPromo(tx, businessId, id);
  if (!row) throw notFound('Promo code');
  checkIfMatch(ifMatch, row.version);
  await deletePromo(tx, businessId, id);
}

export async function readPromo({ deps }: OrdersContext, businessId: string, id: string): Promise<PromoRow> {
  const row = await findPromo(deps.pool, businessId, id);
  if (!row) throw notFound('Promo code');
  return row;
}

export async function readPromos(
  { deps }: OrdersContext,
  businessId: string,
  query: PromoListQuery,
): Promise<Page<PromoCode>> {
  const limit = pageLimit(query.limit);
  const after = deps.cursors.decode(`${SCOPE}:${businessId}`, query.cursor) as [number, string] | null;
  const prefix = query.query?.trim().toLowerCase() || undefined;
  const rows = await listPromos(deps.pool, businessId, { status: query.status, prefix, after, limit: limit + 1 });
  return deps.cursors.page(`${SCOPE}:${businessId}`, rows, limit, (row) => [row.createdAt, row.id], viewPromo);
}

type Parts = { discounts: PromoDiscount[] | null; conditions: PromoCondition[] | null };

/** Null: not sent. Raises 422 with everything that is wrong, products of others included. */
async function readParts(tx: Tx, businessId: string, input: PromoUpdate): Promise<Parts> {
  const errors: FieldError[] = [];
  const discounts = input.discounts ? checkDiscounts(input.discounts, errors) : null;
  const conditions = input.conditions ? checkConditions(input.conditions, errors) : null;
  const named = (conditions ?? []).flatMap((condition) => (condition.type === 'PRODUCTS' ? condition.value : []));
  const existing = new Set(named.length > 0 ? await existingProducts(tx, businessId, named) : []);
  for (const [i, condition] of (conditions ?? []).entries()) {
    if (condition.type !== 'PRODUCTS') continue;
    for (const [j, id] of condition.value.entries()) {
      if (existing.has(id)) continue;
      errors.push({ field: `conditions[${i}].value[${j}]`, error: 'NOT_FOUND', message: `There is no product ${id}.` });
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

const history = (
  caller: Caller,
  businessId: string,
  nowSeconds: number,
  former: PromoRow['doc']['statuses'],
  incoming: StatusInput[] | undefined,
) =>
  extendHistory({
    history: former,
    incoming,
    allowed: PROMO_STATUSES,
    initial: 'ACTIVE',
    caller,
    businessId,
    nowSeconds,
  });

function refuseDuplicate(error: unknown): never {
  if (violatesUnique(error, 'promo_codes_code')) {
    throw invalidField('code', 'DUPLICATE', 'There is a promo code with this code already.');
  }
  throw error;
}
