import type * as context from '../../context/index.ts';
import type { AccountServices } from '../accounts/index.ts';
import type { EventServices } from '../events/index.ts';
import type { Webhooks } from './index.ts';

export type WebhookServices = EventServices & AccountServices & { webhooks: Webhooks };

export type Query = context.Query<WebhookServices>;
export type Command = context.Command<WebhookServices>;
export type Steps = context.Steps<WebhookServices>;
