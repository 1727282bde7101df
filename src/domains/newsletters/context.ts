import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { PaymentServices } from '../payments/index.ts';

export type NewsletterServices = BusinessServices &
  PaymentServices &
  Pick<context.AppServices, 'newsletters' | 'carts'>;

export type Query = context.Query<NewsletterServices>;
export type Command = context.Command<NewsletterServices>;
export type Steps = context.Steps<NewsletterServices>;
export const command = commandFor<NewsletterServices>();

/** The context of functions that read both inside and outside of transactions. */
export type Reading = Readonly<{ db: Db; businessId: string; publicUrl: () => string }> & BusinessServices;
