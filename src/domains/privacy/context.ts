import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { AccountServices } from '../accounts/index.ts';
import type { EventServices } from '../events/index.ts';

export type PrivacyServices = AccountServices & EventServices & Pick<context.AppServices, 'privacy'>;

export type Query = context.Query<PrivacyServices>;
export type Command = context.Command<PrivacyServices>;
export type Steps = context.Steps<PrivacyServices>;
export const command = commandFor<PrivacyServices>();
