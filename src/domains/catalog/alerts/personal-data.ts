/** Personal data in this domain: the addresses of people who are waiting for a product. */
import Type from 'typebox';
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import { Id, Nullable, Timestamp } from '../../../shared/schemas.ts';
import { deleteAlertsOf, listAlertsOf } from './queries.ts';

export const stockAlertData: PersonalDataHolder = {
  name: 'stockAlerts',
  record: Type.Object({
    productId: Id,
    variantId: Id,
    email: Type.String(),
    locale: Nullable(Type.String()),
    createdAt: Timestamp,
  }),
  async businessesOf(db, businessIds, { emails }) {
    const rows = await listAlertsOf(db, businessIds, emails);
    return [...new Set(rows.map((row) => row.businessId))];
  },
  async list({ db, businessId }, { emails }) {
    const rows = await listAlertsOf(db, [businessId], emails);
    return { items: rows, next: null };
  },
  async erase({ db: tx, businessId }, { emails }) {
    const rows = await deleteAlertsOf(tx, businessId, emails);
    return { erased: rows.length, entities: [], next: null };
  },
};
