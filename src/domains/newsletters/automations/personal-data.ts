/** Personal data in automations: the runs of a person, and the emails that they got. */
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import { eraseRunsOf, listRunBusinesses, listRunsOf } from './personal-queries.ts';

export const automationData: PersonalDataHolder = {
  name: 'automations',
  businessesOf: (db, businessIds, { emails }) => listRunBusinesses(db, businessIds, emails),
  async list({ db, businessId }, { emails }) {
    return { items: await listRunsOf(db, businessId, emails), next: null };
  },
  async erase({ db: tx, businessId }, { emails }) {
    return { erased: await eraseRunsOf(tx, businessId, emails), entities: [], next: null };
  },
};
