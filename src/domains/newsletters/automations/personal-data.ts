/** Personal data in automations: the runs of a person, and the emails that they got. */
import Type from 'typebox';
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import { Id, Nullable, Timestamp } from '../../../shared/schemas.ts';
import { eraseRunsOf, listRunBusinesses, listRunsOf } from './personal-queries.ts';

export const automationData: PersonalDataHolder = {
  name: 'automations',
  record: Type.Object({
    automationId: Id,
    name: Type.String(),
    email: Type.String(),
    status: Type.String(),
    reason: Nullable(Type.String()),
    enteredAt: Timestamp,
    updatedAt: Timestamp,
    emails: Type.Array(Type.Object({ entryId: Id, status: Type.String(), updatedAt: Timestamp })),
  }),
  businessesOf: (db, businessIds, { emails }) => listRunBusinesses(db, businessIds, emails),
  async list({ db, businessId }, { emails }) {
    return { items: await listRunsOf(db, businessId, emails), next: null };
  },
  async erase({ db: tx, businessId }, { emails }) {
    return { erased: await eraseRunsOf(tx, businessId, emails), entities: [], next: null };
  },
};
