/** Personal data in this domain: the VAT IDs that were checked. */
import Type from 'typebox';
import type { Person, PersonalDataHolder } from '../../context/personal-data.ts';
import { Timestamp } from '../../shared/schemas.ts';
import { deleteVatChecksOf, listVatChecksOf } from './vat/queries.ts';

export const vatCheckData: PersonalDataHolder = {
  name: 'vatChecks',
  record: Type.Object({ vatId: Type.String(), valid: Type.Boolean(), checkedAt: Timestamp }),
  async businessesOf(db, businessIds, person) {
    const rows = await listVatChecksOf(db, businessIds, idsOf(person));
    return [...new Set(rows.map((row) => row.businessId))];
  },
  async list({ db, businessId }, person) {
    const rows = await listVatChecksOf(db, [businessId], idsOf(person));
    return { items: rows, next: null };
  },
  async erase({ db: tx, businessId }, person) {
    const rows = await deleteVatChecksOf(tx, businessId, idsOf(person));
    return { erased: rows.length, entities: [], next: null };
  },
};

const idsOf = ({ userId, customerId = null }: Person) => [userId, customerId].filter((id) => id !== null);
