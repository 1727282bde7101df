import type { Platform } from '../../../context/index.ts';
import type { BulkMail } from '../../../providers/mail/port.ts';
import { mailDomain } from '../../../providers/mail/sender.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { tag } from '../../../shared/text/locales.ts';
import { brandOf, legalLines } from '../../businesses/index.ts';
import { isTooLarge, tooLarge } from './message-size.ts';
import { renderEntry } from './render.ts';
import type { Source } from './source.ts';

/**
 * The stored email of a send, and the domain of its Message-IDs. With `planIds`, only subscribers with one of these plans get it,
 * because only they can read the entry.
 */
export type MailContent = { mail: BulkMail; domain: string; planIds?: readonly string[] };

/** Renders the current entry as an email. An email with `errors` is not sent. Uses CPU but no I/O. */
export function composeMail(
  { config, publicUrl }: Pick<Platform, 'config' | 'publicUrl'>,
  { entry, collection, business, products }: Source,
): { content: MailContent; errors: FieldError[] } {
  const { logo, color } = brandOf(business, publicUrl());
  const { content, errors } = renderEntry({
    ...{ entry, collection, products, businessName: business.name },
    ...{ brand: { logo, color }, publicUrl: publicUrl() },
    ...{ design: collection.settings.design ?? {}, legal: legalLines(business, tag(entry.locale)) },
  });
  const domain = mailDomain(config.mailFrom);
  const { fromName, replyTo } = { ...business.configs.email, ...collection.settings };
  const mail: BulkMail = {
    ...content,
    businessId: business.id,
    fromName: fromName ?? business.name,
    ...(replyTo ? { replyTo } : {}),
    headers: {
      'List-Id': [`<${collection.id}.${business.id}.${domain}>`.replaceAll('_', '-')],
      'List-Unsubscribe': ['<', { variable: 'unsubscribeUrl' }, '>'],
      'List-Unsubscribe-Post': ['List-Unsubscribe=One-Click'],
      'Auto-Submitted': ['auto-generated'],
    },
  };
  if (errors.length === 0 && isTooLarge(mail)) errors.push(tooLarge('blocks'));
  return { errors, content: { domain, mail, ...(entry.access === 'PLANS' ? { planIds: entry.planIds ?? [] } : {}) } };
}
