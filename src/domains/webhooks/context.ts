import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { AccountServices } from '../accounts/index.ts';
import type { EventServices } from '../events/index.ts';

type WebhookServices = EventServices & AccountServices & Pick<context.AppServices, 'webhooks'>;

export type Query = context.Query<WebhookServices>;
export type Command = context.Command<WebhookServices>;
export type Steps = context.Steps<WebhookServices>;
export const command = commandFor<WebhookServices>();
