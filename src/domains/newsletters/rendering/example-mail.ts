import type { BulkMail, Mail } from '../../../providers/mail/port.ts';
import type { BlockValue } from '../../../shared/blocks/index.ts';
import { invalid } from '../../../shared/errors.ts';
import { fill } from '../../../shared/mail/template.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';
import type { Query, Steps } from '../context.ts';
import { untracked } from '../stats/track-links.ts';
import { composeMail } from './compose-mail.ts';
import type { Design } from './design.ts';
import { readSource } from './source.ts';

type Subscriber = { name: string; email: string };

/**
 * The entry, published or not, as an email to this subscriber. Its links to unsubscribe and to the browser view have no effect. `blocks`
 * and `design` replace the stored ones. Throws 422 with each unknown variable.
 */
export async function exampleMail(
  ctx: Query | Steps,
  entryId: string,
  { name, email }: Subscriber,
  { blocks, design }: { blocks?: BlockValue[] | undefined; design?: Design | undefined } = {},
): Promise<Omit<Mail, 'to'> & { html: string }> {
  const source = await readSource(ctx, entryId, blocks);
  const { settings } = source.collection;
  if (design) source.collection = { ...source.collection, settings: { ...settings, design } };
  const { content, errors } = composeMail(ctx, source);
  if (errors.length > 0) throw invalid(errors);
  const unsubscribeUrl = `${ctx.publicUrl()}/unsubscribe/example`;
  const viewUrl = `${ctx.publicUrl()}/newsletter/example`;
  const referralUrl = `${ctx.publicUrl()}/r/example`;
  const links = { unsubscribeUrl, viewUrl, referralUrl, ...untracked(content.links) };
  return fillMail(content.mail, { 'subscriber.name': name, 'subscriber.email': email, ...links });
}

function fillMail({ subject, text, html, businessId, fromName, replyTo }: BulkMail, values: Record<string, string>) {
  const value = (variable: string) => values[variable] ?? '';
  return {
    subject: fill(subject, value),
    text: fill(text, value),
    html: fill(html, (variable) => escapeHtml(value(variable))),
    ...(businessId ? { businessId } : {}),
    ...(fromName ? { fromName } : {}),
    ...(replyTo ? { replyTo } : {}),
  };
}
