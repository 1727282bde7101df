import type { Platform } from '../../../context/index.ts';
import type { BulkMail } from '../../../providers/mail/port.ts';
import { mailDomain } from '../../../providers/mail/sender.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { Template } from '../../../shared/mail/template.ts';
import { tag } from '../../../shared/text/locales.ts';
import { brandOf, legalLines } from '../../businesses/index.ts';
import type { Tracking } from '../stats/track-links.ts';
import { isTooLarge, tooLarge } from './message-size.ts';
import { renderEntry } from './render.ts';
import type { Source } from './source.ts';

/**
 * The stored email of a send, and the domain of its Message-IDs. With `planIds`, only subscribers with one of these plans get it,
 * because only they can read the entry.
 * `subjects` and `alternatives` belong to an experiment. `links` are the targets of tracked links, by number, in all versions.
 */
export type MailContent = {
  mail: BulkMail;
  domain: string;
  planIds?: readonly string[];
  tracking?: Tracking;
  links?: readonly string[];
  subjects?: readonly Template[];
  alternatives?: readonly BulkMail[];
};

type Versions = { subjects?: readonly string[] | undefined; knownLinks?: readonly string[] | undefined };

/** Renders the current entry as an email. An email with `errors` is not sent. Uses CPU but no I/O. */
export function composeMail(
  { config, publicUrl }: Pick<Platform, 'config' | 'publicUrl'>,
  { entry, collection, business, products }: Source,
  { subjects = [], knownLinks }: Versions = {},
): { content: MailContent; errors: FieldError[] } {
  const { logo, color } = brandOf(business, publicUrl());
  const { tracking = {} } = collection.settings;
  const tracked = { opens: tracking.opens ?? false, clicks: tracking.clicks ?? false };
  const { content, errors } = renderEntry({
    entry,
    collection,
    products,
    businessName: business.name,
    brand: { logo, color },
    publicUrl: publicUrl(),
    tracking: tracked,
    subjects,
    knownLinks,
    design: collection.settings.design ?? {},
    legal: legalLines(business, tag(entry.locale)),
  });
  const domain = mailDomain(config.mailFrom);
  const { fromName, replyTo } = { ...business.configs.email, ...collection.settings };
  const mail: BulkMail = {
    subject: subjects.length === 0 ? content.subject : [{ variable: 'subject' }],
    text: content.text,
    html: content.html,
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
  return {
    errors,
    content: {
      domain,
      mail,
      ...(entry.access === 'PLANS' ? { planIds: entry.planIds ?? [] } : {}),
      ...(tracked.opens || tracked.clicks ? { tracking: tracked, links: content.links } : {}),
      ...(subjects.length > 0 ? { subjects: content.subjects } : {}),
    },
  };
}
