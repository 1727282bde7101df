/** Handles a form submitted by anyone. It has no effect without the confirmation email, so it needs no CSRF token. */

import { type FieldError, invalid, notFound, ServiceError } from '../../../shared/errors.ts';
import { currentStatus } from '../../../shared/records/status-history.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { isEmail } from '../../../shared/text/email.ts';
import { type Command, command, type Query, type Steps } from '../context.ts';
import { readReferral } from '../referrals/referrals.ts';
import { emitSubscription } from '../subscriptions/emit-subscription.ts';
import type { Confirmation } from '../subscriptions/joining/confirm-token.ts';
import { consumeConfirmMailLimit, requestConfirmation } from '../subscriptions/joining/request-confirmation.ts';
import { getNewsletter, lockOrInsert } from '../subscriptions/joining/subscribe.ts';
import { isPaid } from '../subscriptions/plans/plan-payments.ts';
import { isSubscribed } from '../subscriptions/queries.ts';
import { checkSubscriberName, MAX_NAME } from '../subscriptions/subscriber-name.ts';
import { freePlan } from './forms.ts';
import { type FormRow, findForm } from './queries.ts';
import { FIELD_PREFIX, MAX_FIELD, TRAP } from './write-form.ts';

type Submission = { id: string; values: Readonly<Record<string, string>> };
type Prepared = { form: FormRow; email: string; name: string; fields: Record<string, string>; isTrapped: boolean };

const WINDOW_SECONDS = 300;

const invalidEmail: FieldError = { field: 'email', error: 'INVALID_FORMAT', message: 'Enter a valid email address.' };

/** Visitors have no account, so requests are limited only by IP address. */
async function consumeFormLimit(ctx: Steps): Promise<void> {
  const limit = { name: 'form-address', max: ctx.callLimits.maxima.subscribe.address, windowSeconds: WINDOW_SECONDS };
  await ctx.callLimits.consume(ctx, limit, addressKey(ctx.address));
}

/** Returns the form even if the address is already subscribed, so that the response does not reveal who is subscribed. */
export const submitForm = command({
  async prepare(ctx, { id, values }: Submission): Promise<Prepared> {
    await consumeFormLimit(ctx);
    const form = await getForm(ctx, id);
    const email = (values.email ?? '').trim();
    const name = form.doc.asksName ? (values.name ?? '').trim() : '';
    const fields = fieldsOf(form, values);
    const errors: FieldError[] = [];
    if (!isEmail(email)) errors.push(invalidEmail);
    const isPlain = [name, ...Object.values(fields)].every((text) => checkSubscriberName(text).length === 0);
    const isShort = name.length <= MAX_NAME && Object.values(fields).every((text) => text.length <= MAX_FIELD);
    if (!isPlain || !isShort) {
      errors.push({
        field: 'name',
        error: 'INVALID_VALUE',
        message: "Keep your answers short, and don't include links.",
      });
    }
    if (errors.length > 0) throw invalid(errors);
    return { form, email, name, fields, isTrapped: (values[TRAP] ?? '') !== '' };
  },
  async execute(ctx, { form, email, name, fields, isTrapped }): Promise<FormRow> {
    const { collectionId, doc, id } = form;
    const request = { collectionId, planId: doc.planId, email, name, form: { id, fields } };
    if (!isTrapped) await askToConfirm(ctx, request);
    return form;
  },
});

/** Subscribes to a newsletter through a subscriber's referral link. */
export const submitReferral = command({
  async prepare(ctx, { token, values }: { token: string; values: Readonly<Record<string, string>> }) {
    await consumeFormLimit(ctx);
    const { referrer } = await readReferral(ctx, token);
    const email = (values.email ?? '').trim();
    if (!isEmail(email)) throw invalid([invalidEmail]);
    return { referrer, email, isTrapped: (values[TRAP] ?? '') !== '' };
  },
  async execute(ctx, { referrer: { businessId, collectionId, id }, email, isTrapped }) {
    const request = { collectionId, planId: null, email, name: '', referrerId: id };
    if (!isTrapped) await askToConfirm(ctx.within(businessId), request);
    return SUCCESS;
  },
});

type Request = Pick<Confirmation, 'name' | 'form' | 'referrerId'> & {
  collectionId: string;
  planId: string | null;
  email: string;
};

async function askToConfirm(ctx: Command, request: Request): Promise<void> {
  const { collectionId, planId, email, name, form, referrerId } = request;
  const collection = await getNewsletter(ctx.db, ctx.businessId, collectionId);
  // A plan that was free when the form was created may cost money now.
  const plan = collection.plans.find((each) => each.id === planId && !isPaid(each)) ?? freePlan(collection);
  if (!plan || currentStatus(collection.statuses) !== 'PUBLISHED') throw notFound('Form');
  const { row, isNew } = await lockOrInsert(ctx, collection, plan, { email, name, userId: null });
  if (isSubscribed(row) || !(await canMail(ctx, email))) return;
  const after = await requestConfirmation(ctx, collection, row, { planId: plan.id, name, form, referrerId });
  emitSubscription(ctx, isNew ? null : row, after);
}

/** A mailbox that has reached its limit already got a working link, so the visitor doesn't see an error. */
async function canMail(ctx: Command, email: string): Promise<boolean> {
  try {
    await consumeConfirmMailLimit(ctx, email);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'RATE_LIMITED') return false;
    throw error;
  }
}

export async function getForm({ db, businessId }: Query | Steps, id: string): Promise<FormRow> {
  const form = await findForm(db, businessId, id);
  if (!form) throw notFound('Form');
  return form;
}

const fieldsOf = ({ doc }: FormRow, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    doc.fields.flatMap((field) => {
      const text = (values[FIELD_PREFIX + field] ?? '').trim();
      return text === '' ? [] : [[field, text]];
    }),
  );
