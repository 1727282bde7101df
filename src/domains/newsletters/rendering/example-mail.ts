import { type BulkMail, fill, type Mail } from '../../../providers/mail/port.ts';
import type { BlockValue } from '../../../shared/blocks.ts';
import { invalid } from '../../../shared/errors.ts';
import { escapeHtml } from '../../../shared/escape.ts';
import type { Query, Steps } from '../context.ts';
import { composeMail } from './compose-mail.ts';
import { readSource } from './source.ts';

export type Subscriber = { name: string; email: string };

/**
 * The entry, published or not, as the mail that this subscriber would get. Its link to unsubscribe is an example and ends
 * nothing. `edited`: blocks that count instead of those that are stored. Raises 422 naming each unknown variable.
 */
export async function exampleMail(
  ctx: Query | Steps,
  entryId: string,
  { name, email }: Subscriber,
  edited?: BlockValue[],
): Promise<Omit<Mail, 'to'> & { html: string }> {
  const source = await readSource(ctx, entryId);
  if (edited) source.entry.blocks = edited;
  const { content, errors } = composeMail(ctx, source);
  if (errors.length > 0) throw invalid(errors);
  const unsubscribeUrl = `${ctx.publicUrl()}/unsubscribe/example`;
  return fillMail(content.mail, { 'subscriber.name': name, 'subscriber.email': email, unsubscribeUrl });
}

function fillMail({ subject, text, html, fromName, replyTo }: BulkMail, values: Record<string, string>) {
  const value = (variable: string) => values[variable] ?? '';
  return {
    subject: fill(subject, value),
    text: fill(text, value),
    html: fill(html, (variable) => escapeHtml(value(variable))),
    ...(fromName ? { fromName } : {}),
    ...(replyTo ? { replyTo } : {}),
  };
}
