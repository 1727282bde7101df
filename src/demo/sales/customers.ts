/** Builds users and customer records in memory. */
import { viewCustomer } from '../../domains/businesses/index.ts';
import { newId } from '../../shared/ids.ts';
import { type Caller, NO_FACTORS } from '../../shared/security/caller.ts';
import { emailKey } from '../../shared/text/email.ts';
import type { Cause, EventLog } from './event-log.ts';
import type { Person } from './people.ts';

export type CustomerNote = { at: number; person: Person; tags: string[]; note: string; phone: string | null };

type Known = { caller: Caller; customer: Parameters<typeof viewCustomer>[0] };

export function createCustomers(businessId: string, log: EventLog) {
  const known = new Map<Person, Known>();
  const users: object[] = [];

  /** This person's account or guest user. Their first order makes them a customer. */
  function getOrCreate(person: Person, now: number): Caller {
    const before = known.get(person);
    if (before) return before.caller;
    const { hasAccount, name, ip } = person;
    const email = hasAccount ? person.email : null;
    const caller: Caller = {
      userId: newId('usr'),
      provider: hasAccount ? 'EMAIL' : 'GUEST',
      email,
      name,
      isGuest: !hasAccount,
      isConfirmed: hasAccount,
      sessionId: null,
      keyId: null,
      factors: NO_FACTORS,
      permissions: new Map(),
    };
    const { userId } = caller;
    const kind = { isConfirmed: hasAccount, isGuest: !hasAccount };
    users.push({
      id: userId,
      email,
      emailKey: email && emailKey(email),
      name,
      ...kind,
      createdAt: now,
      updatedAt: now,
    });
    const customer = {
      businessId,
      id: newId('cust'),
      userId,
      hasAccount,
      email: person.email,
      name,
      phone: null,
      addresses: [],
      shippingAddress: null,
      billingAddress: null,
      tags: [],
      note: '',
      consent: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    known.set(person, { caller, customer });
    const entity = `customer:${customer.id}` as const;
    log.emitter({ now, userId, ip }).emit({ type: 'customer.created', entity, data: viewCustomer(customer) });
    return caller;
  }

  /** Staff add tags, a note or a phone number. */
  function addNote({ person, tags, note, phone }: CustomerNote, cause: Cause): void {
    const { caller, customer } = known.get(person)!;
    const changed = { ...customer, tags, note, phone, version: customer.version + 1, updatedAt: cause.now };
    known.set(person, { caller, customer: changed });
    const entity = `customer:${customer.id}` as const;
    const [data, before] = [viewCustomer(changed), viewCustomer(customer)];
    log.emitter(cause).emit({ type: 'customer.updated', entity, data, before });
  }

  return {
    meet: getOrCreate,
    addNote,
    /** Undefined if the person has not ordered. */
    find: (person: Person) => known.get(person)?.caller,
    users,
    /** Without names, which are in `users`. */
    rows: () =>
      [...known.values()].map(({ customer: { name: _, hasAccount, ...row } }) => ({
        ...row,
        emailKey: hasAccount ? row.email && emailKey(row.email) : null,
      })),
  };
}
