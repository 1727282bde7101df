/** Personal data in this domain: the VAT IDs that were checked. */
import type { Person, PersonalDataHolder } from '../../context/personal-data.ts';
import { deleteVatChecksOf, listVatChecksOf } from './vat/queries.ts';

export const vatCheckData: PersonalDataHolder = {
  name: 'vatChecks',
  async businessesOf(db, businessIds, person) {
    const rows = await listVatChecksOf(db, businessIds, idsOf(person));
    return [...new Set(rows.map((row) => row.businessId))];
  },
  async list({ db, businessId }, person) {
    const rows = await listVatChecksOf(db, [businessId], idsOf(person));
    return { items: rows.map(({ vatId, valid, checkedAt }) => ({ vatId, valid, checkedAt })), next: null };
  },
  async erase({ db: tx, businessId }, person) {
    const rows = await deleteVatChecksOf(tx, businessId, idsOf(person));
    return { erased: rows.length, entities: [], next: null };
  },
};

const idsOf = ({ userId, customerId = null }: Person) => [userId, customerId].filter((id) => id !== null);
