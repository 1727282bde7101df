import Type from 'typebox';
import { Id } from '../../shared/schemas.ts';
import { Automation } from './automations/schemas.ts';
import { SignupForm } from './forms/schemas.ts';
import { Segment } from './segments/schemas.ts';
import { Send } from './sends/schemas.ts';
import { Billing, Subscriber } from './subscriptions/schemas.ts';
import { Suppression } from './suppressions/schemas.ts';

const { cancelAtPeriodEnd, paidUntil, planId } = Billing.properties;

export const UpdatedSubscriber = Type.Object({
  ...Subscriber.properties,
  cancelAtPeriodEnd: Type.Optional(cancelAtPeriodEnd),
});
export const RenewedSubscriber = Type.Object({ ...Subscriber.properties, paidUntil });
export const CancelledSubscriber = Type.Object({
  ...Subscriber.properties,
  endedPlanId: Type.Optional({ ...planId, description: 'The paid plan that ended.' }),
});
export const StoppedPerson = Type.Object({
  automationId: Id,
  subscriptionId: Id,
  email: Subscriber.properties.email,
});

/** The data of each event type. */
export const newsletterEvents = {
  'subscription.created': Subscriber,
  'subscription.confirmed': Subscriber,
  'subscription.updated': UpdatedSubscriber,
  'subscription.renewed': RenewedSubscriber,
  'subscription.cancelled': CancelledSubscriber,
  'subscription.bounced': Subscriber,
  'form.created': SignupForm,
  'form.updated': SignupForm,
  'form.deleted': SignupForm,
  'segment.created': Segment,
  'segment.updated': Segment,
  'segment.deleted': Segment,
  'suppression.created': Suppression,
  'suppression.deleted': Suppression,
  'automation.created': Automation,
  'automation.updated': Automation,
  'automation.deleted': Automation,
  'automation.stopped': StoppedPerson,
  'newsletter.scheduled': Send,
  'newsletter.started': Send,
  'newsletter.sent': Send,
  'newsletter.cancelled': Send,
  'newsletter.decided': Send,
};
