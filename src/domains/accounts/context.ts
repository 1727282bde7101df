import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';

export type AccountServices = BusinessServices & Pick<context.AppServices, 'accounts'>;

export type Query = context.Query<AccountServices>;
export type Command = context.Command<AccountServices>;
export type Steps = context.Steps<AccountServices>;
export const command = commandFor<AccountServices>();
