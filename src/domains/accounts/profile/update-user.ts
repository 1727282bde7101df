import type { Versioned } from '../../../context/index.ts';
import { type FieldError, forbidden, invalid, notFound } from '../../../shared/errors.ts';
import { changesOf } from '../../../shared/events.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { command } from '../context.ts';
import { MASK } from '../keys/api-keys.ts';
import { changeKeys } from '../keys/change-keys.ts';
import { badPhone, toE164 } from '../phone/phone-numbers.ts';
import { lockCredential } from '../sessions/lock-credential.ts';
import { lockUser, updateProfile } from './queries.ts';
import { getProfile, ssoBusinessOf, withFactors, withinLimits } from './read-profile.ts';
import type { User, UserChange } from './schemas.ts';
import { checkUserConfigs } from './user-configs.ts';

type Result = Versioned<User>;

export const updateUser = command({
  /** Each chosen key value counts as a guess, because a value that then fails reveals that someone else uses it. */
  async prepare(ctx, change: UserChange) {
    const { apiTokens = [] } = change;
    const chosen = apiTokens.filter(({ value }) => value !== undefined && !value.startsWith(MASK));
    for (const _ of chosen) await ctx.callLimits.consume(ctx, ctx.accounts.limits.key, addressKey(ctx.address));
    return change;
  },
  async execute(ctx, change): Promise<Result> {
    const { db: tx, caller } = ctx;
    const { name, addresses, apiTokens, businessUserConfigs, lifecycle } = change;
    const ssoBusiness = ssoBusinessOf(caller);
    if (ssoBusiness !== null && Object.keys(change).some((field) => field !== 'apiTokens')) {
      throw forbidden('This session is limited to one business. It can change only the API keys for it.');
    }
    if (caller.isGuest && apiTokens?.length) throw forbidden("A guest can't have API keys.");
    if (caller.isGuest && businessUserConfigs?.length) throw forbidden("A guest can't have businessUserConfigs.");
    const version = await lockUser(tx, caller.userId);
    if (version === null) throw notFound('User');
    await lockCredential(ctx);
    ctx.checkVersion(version);
    const before = (await getProfile(tx, caller.userId, ssoBusiness)).record;
    const phones = readPhones(change.phoneNumbers);
    const keys = apiTokens ? await changeKeys(ctx, apiTokens) : { errors: [], generated: new Map<string, string>() };
    const errors = [...phones.errors, ...keys.errors, ...checkUserConfigs(businessUserConfigs ?? [])];
    if (errors.length > 0) throw invalid(errors);
    const onboardingCompleted = lifecycle?.onboardingCompleted;
    await updateProfile(
      tx,
      caller.userId,
      { name: name?.trim(), addresses, phoneNumbers: phones.numbers, businessUserConfigs, onboardingCompleted },
      ctx.now,
    );
    const result = await getProfile(tx, caller.userId, ssoBusiness);
    const changed = Object.keys(changesOf(before, result.record));
    if (changed.length > 0) ctx.emitAccount({ type: 'user.updated', userId: caller.userId, data: { changed } });
    const { record, version: current } = withFactors(caller, withGeneratedValues(result, keys.generated));
    return { record: withinLimits(record, caller), version: current };
  },
});

/** Generated keys are shown in full only once. */
function withGeneratedValues({ record, version }: Result, generated: ReadonlyMap<string, string>): Result {
  const apiTokens = record.apiTokens.map((key) => ({ ...key, value: generated.get(key.id) ?? key.value }));
  return { record: { ...record, apiTokens }, version };
}

function readPhones(sent: string[] | undefined): { numbers?: string[]; errors: FieldError[] } {
  if (!sent) return { errors: [] };
  const numbers = sent.map(toE164);
  const errors = numbers.flatMap((number, i) => (number === null ? [badPhone(`phoneNumbers[${i}]`)] : []));
  return { numbers: [...new Set(numbers.filter((number) => number !== null))], errors };
}
