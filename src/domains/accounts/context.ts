import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { Accounts } from './index.ts';

export type AccountServices = BusinessServices & { accounts: Accounts };

export type Query = context.Query<AccountServices>;
export type Command = context.Command<AccountServices>;
export type Steps = context.Steps<AccountServices>;
