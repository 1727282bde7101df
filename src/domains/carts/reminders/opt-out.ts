import { notFound } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/mail/languages.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { getBusiness, readerLanguage } from '../../businesses/index.ts';
import type { CartServices, Command, Query } from '../context.ts';
import { insertOptOut } from './opt-out-queries.ts';

/** The business that the link is from, and the language of the page. Throws 404 for an invalid link. */
export async function readOptOut(ctx: Query, token: string): Promise<{ businessName: string; language: Language }> {
  const { businessId } = subjectOf(ctx, token);
  const { name: businessName } = await getBusiness(ctx, businessId);
  return { businessName, language: await readerLanguage(ctx, businessId) };
}

/** Stops all reminders to this mailbox, even those that its carts request. Idempotent. */
export async function optOut(ctx: Command & CartServices, token: string): Promise<typeof SUCCESS> {
  const { businessId, subject } = subjectOf(ctx, token);
  await insertOptOut(ctx.db, businessId, subject, ctx.now);
  return SUCCESS;
}

function subjectOf({ carts }: Pick<Query, 'carts'>, token: string) {
  const subject = carts.links.readOptOut(token);
  if (!subject) throw notFound('Link');
  return subject;
}
