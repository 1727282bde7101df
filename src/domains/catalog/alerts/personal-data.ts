/** Personal data in this domain: the addresses of people who are waiting for a product. */
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import { deleteAlertsOf, listAlertsOf } from './queries.ts';

export const stockAlertData: PersonalDataHolder = {
  name: 'stockAlerts',
  async businessesOf(db, businessIds, { emails }) {
    const rows = await listAlertsOf(db, businessIds, emails);
    return [...new Set(rows.map((row) => row.businessId))];
  },
  async list({ db, businessId }, { emails }) {
    const rows = await listAlertsOf(db, [businessId], emails);
    return { items: rows.map(({ businessId: _, ...alert }) => alert), next: null };
  },
  async erase({ db: tx, businessId }, { emails }) {
    const rows = await deleteAlertsOf(tx, businessId, emails);
    return { erased: rows.length, entities: [], next: null };
  },
};
