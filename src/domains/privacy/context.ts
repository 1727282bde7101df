import type * as context from '../../context/index.ts';
import type { AccountServices } from '../accounts/index.ts';
import type { Privacy } from './index.ts';

export type PrivacyServices = AccountServices & { privacy: Privacy };

export type Query = context.Query<PrivacyServices>;
export type Command = context.Command<PrivacyServices>;
export type Steps = context.Steps<PrivacyServices>;
