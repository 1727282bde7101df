/** Personal data in this domain: customer records, and invitations to the team. */
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import type { BusinessServices } from '../context.ts';
import {
  deleteCustomersOf,
  deleteInvitationsTo,
  findPersonOf,
  isMemberOf,
  listBusinessesWithCustomer,
  listCustomersOf,
} from './personal-queries.ts';
import { viewCustomer } from './read-customers.ts';
import { Customer } from './schemas.ts';

export const customerData: PersonalDataHolder<BusinessServices> = {
  name: 'customers',
  record: Customer,
  find: findPersonOf,
  businessesOf: listBusinessesWithCustomer,
  list: async ({ db, businessId }, person) => ({
    items: (await listCustomersOf(db, businessId, person)).map(viewCustomer),
    next: null,
  }),
  async erase({ db: tx, businessId }, person) {
    const customers = await deleteCustomersOf(tx, businessId, person);
    const invitations = await deleteInvitationsTo(tx, businessId, person.emails);
    const entities = [
      ...customers.map(({ id }) => `customer:${id}`),
      ...invitations.map(({ id }) => `invitation:${id}`),
      ...(person.userId === null ? [] : [`member:${person.userId}`]),
    ];
    const isMember = person.userId !== null && (await isMemberOf(tx, businessId, person.userId));
    return {
      erased: customers.length + invitations.length,
      entities,
      kept: isMember ? [{ what: 'membership', count: 1, reason: 'MEMBER' }] : [],
      next: null,
    };
  },
};
