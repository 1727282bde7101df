/** Personal data in subscriptions, with consent and payments. */
import Type from 'typebox';
import type { Kept, Person, PersonalDataHolder } from '../../../context/personal-data.ts';
import { Currency, Id, MoneyMinor, Nullable, Timestamp } from '../../../shared/schemas.ts';
import {
  endAgreementAtProvider,
  erasePayers,
  listAgreementsFor,
  listPlanPayments,
  requestAgreementChange,
} from '../../payments/index.ts';
import type { NewsletterServices, Steps } from '../context.ts';
import { deleteReferralsOf } from '../referrals/queries.ts';
import { deleteSubscriptionsOfPerson, listBusinessesOfPerson, listSubscriptionsOfPerson } from './personal-queries.ts';
import { readBilling } from './plans/plan-billing.ts';
import { findSubscription } from './queries.ts';
import { Consent, Subscriber, SubscriberDetail, subscriberOf } from './schemas.ts';

const { referrals, billing } = SubscriberDetail.properties;
const Exported = Type.Object({
  ...Subscriber.properties,
  referrals,
  billing,
  consent: Nullable(Type.Pick(Consent, ['source', 'at', 'address', 'text'])),
  payments: Type.Array(
    Type.Object({
      id: Id,
      reference: Type.String(),
      status: Type.String(),
      amount: MoneyMinor,
      currency: Currency,
      paid: MoneyMinor,
      createdAt: Timestamp,
    }),
  ),
});

/**
 * Ends agreements at the provider before the erasure, so that an erased person is not charged again. The erasure waits for the provider.
 * Data held by the provider itself is reported as kept.
 */
async function stopCharging(ctx: Steps, person: Person): Promise<Kept[]> {
  const rows = await listSubscriptionsOfPerson(ctx.db, ctx.businessId, person);
  let atProvider = 0;
  for (const row of rows) {
    for (const agreement of await listAgreementsFor(ctx.db, ctx.businessId, [`${row.id}/`])) {
      if (agreement.provider !== 'SANDBOX') atProvider++;
      if (agreement.status !== 'ENDED') await ctx.transaction((tx) => requestAgreementChange(tx, agreement, 'END'));
      await endAgreementAtProvider(ctx, agreement.id);
    }
  }
  return atProvider > 0 ? [{ what: 'agreements', count: atProvider, reason: 'PAYMENT_PROVIDER' }] : [];
}

export const subscriptionData: PersonalDataHolder<NewsletterServices> = {
  name: 'subscriptions',
  record: Exported,
  async find(db, businessId, id) {
    const row = await findSubscription(db, businessId, id);
    return row && { userId: row.userId, emails: [row.emailKey] };
  },
  businessesOf: listBusinessesOfPerson,
  prepare: stopCharging,
  async list({ db, businessId }, person) {
    const rows = await listSubscriptionsOfPerson(db, businessId, person);
    const payments = await listPlanPayments(
      db,
      businessId,
      rows.map(({ id }) => id),
    );
    const items = await Promise.all(
      rows.map(async (row) => ({
        ...subscriberOf(row),
        referrals: row.referrals,
        consent: row.consent,
        billing: await readBilling({ db }, row),
        payments: payments.filter(({ reference }) => reference.startsWith(`${row.id}/`)),
      })),
    );
    return { items, next: null };
  },
  async erase({ db: tx, businessId, now }, person) {
    const ids = (await deleteSubscriptionsOfPerson(tx, businessId, person, now)).map(({ id }) => id);
    await deleteReferralsOf(tx, businessId, person.emails, ids);
    const payments = await listPlanPayments(tx, businessId, ids);
    const open = await erasePayers(tx, businessId, {
      purpose: 'SUBSCRIPTION',
      references: payments.map(({ reference }) => reference),
      paymentIds: payments.map(({ id }) => id),
    });
    const kept: Kept[] = [
      { what: 'payments', count: payments.length, reason: 'ACCOUNTING' },
      { what: 'openPayments', count: open, reason: 'PAYMENT_OPEN' },
    ];
    return {
      erased: ids.length,
      kept: kept.filter(({ count }) => count > 0),
      entities: ids.map((id) => `subscription:${id}`),
      next: null,
    };
  },
};
