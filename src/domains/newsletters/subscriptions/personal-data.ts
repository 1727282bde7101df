/** Subscriptions of a person, with what they agreed to and paid. */
import type { PersonalDataHolder } from '../../../context/index.ts';
import { erasePayers, listPlanPayments } from '../../payments/index.ts';
import type { NewsletterServices } from '../context.ts';
import { deleteSubscriptionsOfPerson, listBusinessesOfPerson, listSubscriptionsOfPerson } from './personal-queries.ts';
import { findSubscription } from './queries.ts';
import { subscriberOf } from './schemas.ts';

export const subscriptionData: PersonalDataHolder<NewsletterServices> = {
  name: 'subscriptions',
  async find(db, businessId, id) {
    const row = await findSubscription(db, businessId, id);
    return row && { userId: row.userId, emails: [row.emailKey] };
  },
  businessesOf: listBusinessesOfPerson,
  async list({ db, businessId }, person) {
    const rows = await listSubscriptionsOfPerson(db, businessId, person);
    const payments = await listPlanPayments(
      db,
      businessId,
      rows.map(({ id }) => id),
    );
    const items = rows.map((row) => ({
      ...subscriberOf(row),
      consent: row.consent,
      payments: payments.filter(({ reference }) => reference.startsWith(`${row.id}/`)),
    }));
    return { items, next: null };
  },
  async erase({ db: tx, businessId }, person) {
    const ids = (await deleteSubscriptionsOfPerson(tx, businessId, person)).map(({ id }) => id);
    const payments = await listPlanPayments(tx, businessId, ids);
    const open = await erasePayers(tx, businessId, {
      purpose: 'SUBSCRIPTION',
      references: payments.map(({ reference }) => reference),
      paymentIds: payments.map(({ id }) => id),
    });
    return {
      erased: ids.length,
      kept: [
        ...(payments.length > 0 ? [{ what: 'payments', count: payments.length, reason: 'ACCOUNTING' as const }] : []),
        ...(open > 0 ? [{ what: 'openPayments', count: open, reason: 'PAYMENT_OPEN' as const }] : []),
      ],
      entities: ids.map((id) => `subscription:${id}`),
      next: null,
    };
  },
};
