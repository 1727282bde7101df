/** Personal data in suppressions. An erasure keeps complaints and manual suppressions, because they record an objection to email. */
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import { eraseSuppressions, listSuppressingBusinesses, listSuppressionsOf } from './queries.ts';
import { Suppression, suppressionOf } from './schemas.ts';

export const suppressionData: PersonalDataHolder = {
  name: 'suppressions',
  record: Suppression,
  businessesOf: (db, businessIds, { emails }) => listSuppressingBusinesses(db, businessIds, emails),
  async list({ db, businessId }, { emails }) {
    return { items: (await listSuppressionsOf(db, businessId, emails)).map(suppressionOf), next: null };
  },
  async erase({ db: tx, businessId }, { emails }) {
    const { erased, kept } = await eraseSuppressions(tx, businessId, emails);
    return {
      erased,
      kept: kept > 0 ? [{ what: 'suppressions', count: kept, reason: 'OBJECTION' }] : [],
      entities: [],
      next: null,
    };
  },
};
