import { isDeepStrictEqual } from 'node:util';
import { forbidden } from '../../shared/errors.ts';
import { type Caller, may } from '../../shared/security/caller.ts';
import type { BusinessServices, Command } from './context.ts';
import { getBusiness } from './get-business.ts';
import { lockAsAdmin } from './roles/lock.ts';
import { listAllMemberIds } from './roles/queries.ts';
import { publishMembers } from './roles/set-role.ts';
import type { StoredConfigs } from './schemas.ts';
import type { Security } from './security-schemas.ts';

const DAY_SECONDS = 86_400;

/** The grace period starts when the requirement is turned on, or when the period is changed. */
export function setEnforcementDate(sent: Security, stored: Security | undefined, nowSeconds: number): Security {
  const { enforcedFrom: _, ...security } = sent;
  if (!security.requireSecondFactor) return security;
  const { gracePeriodDays = 0 } = security;
  const isSame = stored?.enforcedFrom !== undefined && gracePeriodDays === (stored.gracePeriodDays ?? 0);
  return { ...security, enforcedFrom: isSame ? stored.enforcedFrom! : nowSeconds + gracePeriodDays * DAY_SECONDS };
}

/** Settings that affect money or account security. */
const SENSITIVE = ['paymentProvider', 'bankTransfer', 'security'] as const;

/** Checks a change to the settings before it is written. A change to the requirement applies to all members immediately. */
export async function checkSecurity(ctx: Command, before: StoredConfigs, after: StoredConfigs): Promise<void> {
  const changed = SENSITIVE.filter((name) => !isDeepStrictEqual(plain(before[name]), plain(after[name])));
  if (changed.length > 0) await requireStepUp(ctx, ctx.businessId);
  if (!changed.includes('security')) return;
  if (!may(ctx.caller, ctx.businessId, 'ADMIN')) throw forbidden('Only an admin can change the security settings.');
  await lockAsAdmin(ctx, ctx.businessId);
  if (after.security?.requireSecondFactor && !before.security?.requireSecondFactor) {
    await ctx.businesses.unconfirmKeys(ctx, ctx.businessId);
  }
  await publishMembers(ctx, await listAllMemberIds(ctx.db, ctx.businessId));
}

/** As stored: without fields that are undefined. */
export const plain = (section: object = {}) => JSON.parse(JSON.stringify(section));

type Reader = Parameters<typeof getBusiness>[0] & { caller: Caller; now: number; stepUp: string } & BusinessServices;

/**
 * Throws 403 STEP_UP_REQUIRED if the business requires step-up authentication and this session has not completed one. API keys are limited
 * by their scopes instead. `refund`: the refunded amount of an order. Small refunds need no step-up.
 */
export async function requireStepUp(ctx: Reader, businessId: string, refund = Number.POSITIVE_INFINITY): Promise<void> {
  if (ctx.caller.sessionId === null) return;
  const { security = {} } = (await getBusiness(ctx, businessId)).configs;
  const { stepUpAbove, stepUp = stepUpAbove !== undefined } = security;
  if (stepUp && refund > (stepUpAbove ?? 0)) ctx.businesses.stepUps.require(ctx);
}
