import { notFound } from '../../../shared/errors.ts';
import { newId, type PreviousIdentity } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { Command } from '../context.ts';
import { findSuppression, removeSuppression, type SuppressionReason, upsertSuppression } from './queries.ts';
import { type Suppression, type SuppressionInput, suppressionOf } from './schemas.ts';

type Suppressed = {
  email: string;
  reason: SuppressionReason;
  detail: string;
  provider: string | null;
  /** When it happened. The call has no effect if the suppression was removed after this time. */
  atSeconds: number;
};

/** Stops marketing email to an address. Returns null if nothing changes. */
export async function suppress(ctx: Command, { atSeconds, ...suppressed }: Suppressed): Promise<Suppression | null> {
  const { db: tx, businessId, now } = ctx;
  const row = { ...suppressed, businessId, id: newId('sup'), emailKey: emailKey(suppressed.email), createdAt: now };
  const written = await upsertSuppression(tx, row, atSeconds);
  if (!written) return null;
  const data = suppressionOf(written);
  ctx.emit({ type: 'suppression.created', entity: `suppression:${data.id}`, data });
  return data;
}

export async function addSuppression(ctx: Command, input: SuppressionInput): Promise<Suppression> {
  const { email, reason = 'MANUAL', detail = '' } = input;
  const added = await suppress(ctx, { email, reason, detail, provider: null, atSeconds: ctx.now });
  return added ?? suppressionOf((await findSuppression(ctx.db, ctx.businessId, emailKey(email)))!);
}

/** An address that is already suppressed stays unchanged. */
export async function importSuppression(
  ctx: Command,
  { input, kept }: { input: SuppressionInput; kept: PreviousIdentity },
): Promise<{ result: 'CREATED' | 'UNCHANGED'; id: string }> {
  const { email, reason = 'MANUAL', detail = '' } = input;
  const current = await findSuppression(ctx.db, ctx.businessId, emailKey(email));
  if (current) return { result: 'UNCHANGED', id: current.id };
  const added = await suppress(ctx, { email, reason, detail, provider: null, atSeconds: kept.createdAt ?? ctx.now });
  return added ? { result: 'CREATED', id: added.id } : { result: 'UNCHANGED', id: kept.id ?? '' };
}

/** `key` is an ID or an email address. */
export async function deleteSuppression(ctx: Command, key: string) {
  const row = await findSuppression(ctx.db, ctx.businessId, emailKey(key));
  if (!row || !(await removeSuppression(ctx.db, row, ctx.now))) throw notFound('Suppression');
  ctx.emit({ type: 'suppression.deleted', entity: `suppression:${row.id}`, data: suppressionOf(row) });
  return SUCCESS;
}
