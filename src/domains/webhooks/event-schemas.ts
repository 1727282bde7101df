import Type from 'typebox';
import { Webhook } from './schemas.ts';

/** The data of each event type. */
export const webhookEvents = {
  'webhook.created': Webhook,
  'webhook.updated': Webhook,
  'webhook.deleted': Webhook,
  'webhook.disabled': Webhook,
  'webhook.test': Type.Object({}),
};
