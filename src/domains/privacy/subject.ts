import type { Person } from '../../context/personal-data.ts';
import { notFound } from '../../shared/errors.ts';
import type { Command, Query } from './context.ts';

/** The person to erase. `email` and `language`: how to notify the owner of a deleted account. */
export type Subject = Person & { email?: string | null; language?: string };

/** Finds a person of the business by the ID of a customer, a user or a subscription. Throws 404 if there is none. */
export async function findSubject({ db, businessId, privacy }: Query | Command, id: string): Promise<Person> {
  let userId: string | null = null;
  let customerId: string | null = null;
  const emails = new Set<string>();
  let isKnown = false;
  for (const { find } of privacy.holders) {
    const person = await find?.(db, businessId, id);
    if (!person) continue;
    isKnown = true;
    userId ??= person.userId;
    customerId ??= person.customerId ?? null;
    for (const email of person.emails) emails.add(email);
  }
  if (!isKnown) throw notFound('Customer');
  return { userId, customerId, emails: [...emails] };
}
