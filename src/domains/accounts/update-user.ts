import { inTransaction, type Tx, violatesUnique } from '../../db/connection.ts';
import { type Caller, userSubject } from '../../shared/caller.ts';
import { type FieldError, forbidden, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { planKeys } from './api-keys.ts';
import type { AccountsContext } from './context.ts';
import { badPhone, toE164 } from './phone-numbers.ts';
import type { ApiTokenInput, User, UserChange } from './schemas.ts';
import { deleteApiKeys, listApiKeys, lockUser, updateApiKey, updateProfile, upsertApiKey } from './user-queries.ts';
import { getUser } from './users.ts';

export async function updateUser(
  context: AccountsContext,
  caller: Caller,
  change: UserChange,
  ifMatch: string | undefined,
): Promise<{ user: User; version: number }> {
  const { pool, clock } = context;
  if (caller.isGuest && change.apiTokens?.length) throw forbidden('A guest cannot have API keys.');
  const phones = readPhones(change.phoneNumbers);
  return inTransaction(pool, async (tx) => {
    const version = await lockUser(tx, caller.userId);
    if (version === null) throw notFound('User');
    checkIfMatch(ifMatch, version);
    const keyErrors = change.apiTokens ? await changeKeys(context, tx, caller.userId, change.apiTokens) : [];
    const errors = [...phones.errors, ...keyErrors];
    if (errors.length > 0) throw invalid(errors);
    const { name, addresses } = change;
    await updateProfile(
      tx,
      caller.userId,
      { name: name?.trim(), addresses, phoneNumbers: phones.numbers },
      clock.seconds(),
    );
    return getUser(tx, caller.userId);
  });
}

async function changeKeys(
  { clock, broadcast }: AccountsContext,
  tx: Tx,
  userId: string,
  sent: ApiTokenInput[],
): Promise<FieldError[]> {
  const now = clock.seconds();
  const plan = planKeys(sent, await listApiKeys(tx, userId), now);
  if (plan.errors.length > 0) return plan.errors;
  if (plan.revoked.length > 0) await deleteApiKeys(tx, userId, plan.revoked);
  for (const key of plan.kept) await updateApiKey(tx, userId, key);
  for (const key of plan.made) {
    await upsertApiKey(tx, userId, key, now).catch((error) => {
      if (!violatesUnique(error, 'api_keys_hash')) throw error;
      const field = `apiTokens[${sent.findIndex((entry) => entry.value?.slice(-4) === key.lastFour)}].value`;
      throw invalidField(field, 'DUPLICATE', `${field} cannot be used: choose another one.`);
    });
  }
  await broadcast.publish(tx, userSubject(userId));
  return [];
}

function readPhones(sent: string[] | undefined): { numbers?: string[]; errors: FieldError[] } {
  if (!sent) return { errors: [] };
  const numbers = sent.map(toE164);
  const errors = numbers.flatMap((number, i) => (number === null ? [badPhone(`phoneNumbers[${i}]`)] : []));
  return { numbers: [...new Set(numbers.filter((number) => number !== null))], errors };
}
