import type * as context from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { PaymentServices } from '../payments/index.ts';
import type { Newsletters } from './index.ts';

export type NewsletterServices = BusinessServices & PaymentServices & { newsletters: Newsletters };

export type Query = context.Query<NewsletterServices>;
export type Command = context.Command<NewsletterServices>;
export type Steps = context.Steps<NewsletterServices>;

/** What a function needs that reads both inside and outside of a transaction. */
export type Reading = Readonly<{ db: Db; businessId: string }> & BusinessServices;
