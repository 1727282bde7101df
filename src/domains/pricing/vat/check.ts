/** Checks VAT IDs with VIES. A result is valid for a day. If VIES is down, VAT is charged and the check is repeated. */
import { CallFailed } from '../../../providers/outbound/index.ts';
import { isEuMember } from '../../../shared/addresses/index.ts';
import type { Configs } from '../../businesses/index.ts';
import type { Addresses } from '../addresses/addresses.ts';
import type { Command, Steps } from '../context.ts';
import { hasTaxRates, originOf, vatCountryOf, vatIdOf } from '../taxes/taxes.ts';
import { findVatCheck, upsertVatCheck } from './queries.ts';

export const VAT_CHECKS = ['VALID', 'INVALID', 'UNCHECKED'] as const;
export type VatCheck = (typeof VAT_CHECKS)[number];

const VALID_FOR_SECONDS = 86_400;

/** The VAT ID whose check determines the tax, in the format of VIES. Null if there is none. */
export function vatIdToCheck(configs: Configs, addresses: Addresses): string | null {
  const vatId = vatIdOf(addresses)
    ?.toUpperCase()
    .replace(/[^A-Z0-9+*]/g, '')
    .replace(/^GR/, 'EL');
  const origin = originOf(configs);
  if (!vatId || !hasTaxRates(configs) || configs.tax?.vatCheck === false || !origin) return null;
  const country = vatCountryOf(vatId);
  return isEuMember(origin.country) && isEuMember(country) && country !== origin.country ? vatId : null;
}

/** `userId` is the customer's, so that an erasure finds the check. */
export async function checkVatId(ctx: Steps, vatId: string, userId: string | null): Promise<VatCheck> {
  const { businessId, now } = ctx;
  const stored = await findStoredCheck(ctx, vatId);
  if (stored !== null) return stored;
  try {
    const valid = await ctx.pricing.vatIds.check(businessId, vatId);
    await ctx.write((tx) => upsertVatCheck(tx, { businessId, vatId, valid, userId, checkedAt: now }));
    return valid ? 'VALID' : 'INVALID';
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    ctx.log.warn({ businessId }, `VIES failed: ${error.message}`);
    return 'UNCHECKED';
  }
}

/** The result of a check within the last day. Null if there is none. */
export async function findStoredCheck(
  { db, businessId, now }: Pick<Steps | Command, 'db' | 'businessId' | 'now'>,
  vatId: string,
): Promise<VatCheck | null> {
  const stored = await findVatCheck(db, businessId, vatId, now - VALID_FOR_SECONDS);
  return stored && (stored.valid ? 'VALID' : 'INVALID');
}
