import type { Versioned } from '../../../context/index.ts';
import { type FieldError, forbidden, invalid, notFound } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { changeKeys } from '../keys/change-keys.ts';
import { badPhone, toE164 } from '../phone/phone-numbers.ts';
import { lockUser, updateProfile } from './queries.ts';
import { getProfile } from './read-profile.ts';
import type { User, UserChange } from './schemas.ts';

export async function updateUser(ctx: Command, change: UserChange): Promise<Versioned<User>> {
  const { db: tx, caller } = ctx;
  if (caller.isGuest && change.apiTokens?.length) throw forbidden('A guest cannot have API keys.');
  const version = await lockUser(tx, caller.userId);
  if (version === null) throw notFound('User');
  ctx.checkVersion(version);
  const phones = readPhones(change.phoneNumbers);
  const keyErrors = change.apiTokens ? await changeKeys(ctx, change.apiTokens) : [];
  const errors = [...phones.errors, ...keyErrors];
  if (errors.length > 0) throw invalid(errors);
  const { name, addresses } = change;
  await updateProfile(tx, caller.userId, { name: name?.trim(), addresses, phoneNumbers: phones.numbers }, ctx.now);
  return getProfile(tx, caller.userId);
}

function readPhones(sent: string[] | undefined): { numbers?: string[]; errors: FieldError[] } {
  if (!sent) return { errors: [] };
  const numbers = sent.map(toE164);
  const errors = numbers.flatMap((number, i) => (number === null ? [badPhone(`phoneNumbers[${i}]`)] : []));
  return { numbers: [...new Set(numbers.filter((number) => number !== null))], errors };
}
