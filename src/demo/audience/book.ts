/** Builds subscriptions, payments and agreements in memory, with the rows and events that the use cases would write. */
import type { AppServices, Steps } from '../../context/index.ts';
import type { Collection } from '../../domains/content/index.ts';
import { emitSubscription, type SubscriptionRow, subscriberOf } from '../../domains/newsletters/index.ts';
import { type AgreementRow, addInterval, type PaymentRow, preparePayment } from '../../domains/payments/index.ts';
import { newId } from '../../shared/ids.ts';
import { emailKey } from '../../shared/text/email.ts';
import { at } from '../past.ts';
import type { Book } from '../sales/book.ts';
import type { Cause } from '../sales/event-log.ts';
import type { PlannedSubscriber } from './plan.ts';

const CLUB = 'club';

type Charge = { agreementId: string; id: string; status: string; periodEnd: number; createdAt: number };

export function createAudience(ctx: Steps<AppServices>, newsletter: Collection, book: Book) {
  const { businessId } = ctx;
  const price = newsletter.plans.find(({ id }) => id === CLUB)!.price!;
  const { amount, currency } = price;
  const money = { amount, currency };
  const subscriptions = new Map<string, SubscriptionRow>();
  const payments: PaymentRow[] = [];
  const agreements: AgreementRow[] = [];
  const charges: object[] = [];

  const bySystem = (now: number, ip = ''): Cause => ({ now, userId: null, ip });

  function save(before: SubscriptionRow | null, after: SubscriptionRow, cause: Cause): SubscriptionRow {
    subscriptions.set(after.id, after);
    emitSubscription(book.log.emitter(cause), before, after);
    return after;
  }

  function change(row: SubscriptionRow, fields: Partial<SubscriptionRow>, cause: Cause): SubscriptionRow {
    return save(row, { ...row, ...fields, version: row.version + 1, updatedAt: cause.now }, cause);
  }

  /** Returns the ID of the subscription. */
  async function join({ at: now, person, plan }: PlannedSubscriber): Promise<string> {
    const caller = book.customers.find(person);
    const userId = person.hasAccount && caller ? caller.userId : null;
    const cause = { now, userId: caller?.userId ?? newId('usr'), ip: person.ip };
    const row: SubscriptionRow = {
      businessId,
      id: newId('sub'),
      collectionId: newsletter.id,
      email: person.email,
      emailKey: emailKey(person.email),
      name: person.name.split(' ')[0]!,
      userId,
      planId: plan === 'FREE' ? 'free' : CLUB,
      status: 'PENDING',
      consent: null,
      paidPlanId: null,
      tags: [],
      fields: {},
      timeZone: null,
      doNotTrack: false,
      feedNumber: 1,
      referrals: 0,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    if (plan === 'FREE') {
      const consent = { source: 'SUBSCRIBE', at: now, address: person.ip, text: null, userId };
      save(null, { ...row, status: 'ACTIVE', consent, version: 2 }, cause);
    } else {
      await joinClub(save(null, row, cause), plan, person.ip);
    }
    return row.id;
  }

  async function joinClub(row: SubscriptionRow, plan: PlannedSubscriber['plan'], ip: string): Promise<void> {
    const { id, email, userId, createdAt: now } = row;
    const reference = `${id}/${CLUB}${userId === null ? '' : '/self'}`;
    const opened = await preparePayment(at(ctx, now), newId('pay'), {
      businessId,
      purpose: 'SUBSCRIPTION',
      reference,
      ...money,
      description: `${newsletter.name}: Club`,
      language: 'en',
      email,
      interval: 'MONTHLY',
    });
    if (plan === 'UNPAID') {
      payments.push({ ...opened, status: 'CLOSED', updatedAt: opened.expiresAt });
      return;
    }
    const paidAt = now + PAYING_SECONDS;
    const charge = { paid: amount, chargeId: opened.id, updatedAt: paidAt };
    payments.push({ ...opened, status: 'PAID', ...charge });
    const consent = { source: 'PAYMENT', at: paidAt, address: null, text: null, userId };
    const active = change(row, { status: 'ACTIVE', consent }, bySystem(paidAt, ip));
    renew(active, { ...opened, ...charge }, plan === 'LAPSED');
  }

  /** Adds the agreement and its charges up to now. If the card has expired, the last charge failed. */
  function renew(row: SubscriptionRow, payment: PaymentRow, hasLapsed: boolean): void {
    const { id: agreementId, updatedAt: paidAt, purpose, reference, provider } = payment;
    const note = (charge: Omit<Charge, 'agreementId'>) =>
      charges.push({ businessId, agreementId, ...money, ...charge, updatedAt: charge.createdAt });
    let current = row;
    let periodEnd = addInterval(paidAt, 'MONTHLY');
    let updatedAt = paidAt;
    let failedUntil: number | null = null;
    note({ id: agreementId, status: 'PAID', periodEnd, createdAt: paidAt });
    while (periodEnd <= ctx.now) {
      const next = addInterval(periodEnd, 'MONTHLY');
      const charge = { id: `sandbox_${periodEnd}`, periodEnd: next, createdAt: periodEnd };
      updatedAt = periodEnd;
      if (hasLapsed && next > ctx.now) {
        note({ ...charge, status: 'FAILED' });
        current = change(current, { status: 'PAST_DUE' }, bySystem(periodEnd));
        failedUntil = next;
        break;
      }
      note({ ...charge, status: 'PAID' });
      const data = { ...subscriberOf(current), paidUntil: next };
      const entity = `subscription:${row.id}` as const;
      book.log.emitter(bySystem(periodEnd)).emit({ type: 'subscription.renewed', entity, data });
      periodEnd = next;
    }
    agreements.push({
      businessId,
      id: agreementId,
      purpose,
      reference,
      provider,
      ...money,
      interval: 'MONTHLY',
      periodEnd,
      providerId: agreementId,
      customerId: null,
      status: failedUntil === null ? 'ACTIVE' : 'PAST_DUE',
      wanted: 'RENEW',
      lastSent: 'RENEW',
      // No job processes it before the period ends.
      dueAt: failedUntil ?? periodEnd,
      createdAt: paidAt,
      updatedAt,
    });
  }

  function unsubscribe(id: string, now: number, ip: string): void {
    change(subscriptions.get(id)!, { status: 'UNSUBSCRIBED' }, bySystem(now, ip));
  }

  function bounce(id: string, now: number): void {
    const row = subscriptions.get(id)!;
    const bounced: SubscriptionRow = { ...row, status: 'BOUNCED', version: row.version + 1, updatedAt: now };
    subscriptions.set(id, bounced);
    const entity = `subscription:${id}` as const;
    book.log.emitter(bySystem(now)).emit({ type: 'subscription.bounced', entity, data: subscriberOf(bounced) });
  }

  return { join, unsubscribe, bounce, rows: { subscriptions, payments, agreements, charges } };
}

export type Audience = ReturnType<typeof createAudience>;

const PAYING_SECONDS = 95;
