import type { Person } from '../../context/index.ts';
import { notFound } from '../../shared/errors.ts';
import type { Command, Query } from './context.ts';

/** Who is erased; `email`: where an account's owner is told of it. */
export type Subject = Person & { email?: string | null };

/** The person that a business means by the id of a customer, a user or a subscription. Raises 404 when it knows nobody by it. */
export async function findSubject({ db, businessId, privacy }: Query | Command, id: string): Promise<Person> {
  let userId: string | null = null;
  const emails = new Set<string>();
  let isKnown = false;
  for (const { find } of privacy.holders) {
    const person = await find?.(db, businessId, id);
    if (!person) continue;
    isKnown = true;
    userId ??= person.userId;
    for (const email of person.emails) emails.add(email);
  }
  if (!isKnown) throw notFound('Customer');
  return { userId, emails: [...emails] };
}
