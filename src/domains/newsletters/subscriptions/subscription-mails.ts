/** Writes the emails to subscribers. Pure, except that the business's own text is read from the cache. */
import type { Db } from '../../../db/sql.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import { dayOf } from '../../../shared/day.ts';
import type { SubscriptionMailKind } from '../../../shared/mail/kinds.ts';
import { type Language, textsIn } from '../../../shared/mail/languages.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  type BusinessRow,
  type BusinessServices,
  findMailText,
  getBusiness,
  type PreviewInput,
  readerLanguage,
  type WrittenMail,
  writeBusinessMail,
} from '../../businesses/index.ts';
import type { Plan } from '../../content/index.ts';
import { type AgreementRow, isInterval } from '../../payments/index.ts';
import type { Query } from '../context.ts';
import { withoutLinks } from './joining/confirm-mail.ts';

type About = {
  newsletter: string;
  link: string;
  /** The paid plan that the link confirms. */
  plan?: Plan | undefined;
  agreement?: Pick<AgreementRow, 'amount' | 'currency' | 'periodEnd'>;
};

type Reader = BusinessServices & Readonly<{ db: Db; acceptLanguage: string; publicUrl: () => string }>;

/**
 * The email in the language of the request, or else of the business. The recipient may not have requested it, so it contains nothing the
 * visitor typed, and the names of the newsletter and the business are short and contain no links.
 */
export async function subscriptionMail(
  ctx: Reader,
  kind: SubscriptionMailKind,
  { businessId, email: to }: { businessId: string; email: string },
  about: About,
): Promise<Mail> {
  const business = await getBusiness(ctx, businessId);
  const language = await readerLanguage(ctx, businessId);
  const text = await findMailText(ctx, businessId, kind, language);
  const mail = write({ kind, business, language, text }, about, ctx.publicUrl());
  return { to, ...mail, headers: { 'Auto-Submitted': 'auto-generated' } };
}

function write(
  { kind, business, language, text }: PreviewInput<SubscriptionMailKind>,
  { newsletter, link, plan, agreement }: About,
  publicUrl: string,
): WrittenMail {
  const { timeZone = 'UTC' } = business.configs.profile ?? {};
  return writeBusinessMail(business, {
    kind,
    language,
    text,
    values: {
      'business.name': withoutLinks(business.name),
      'newsletter.name': withoutLinks(newsletter),
      ...(agreement && {
        'plan.amount': formatMoney(agreement.amount, agreement.currency, language),
        'plan.paidUntil': dayOf(agreement.periodEnd, language, timeZone),
      }),
    },
    link: { url: link, isRepeated: true },
    parts: plan?.price ? [{ type: 'note', text: planText(plan.name, plan.price, language) }] : [],
    publicUrl,
  });
}

function planText(
  name: string,
  { amount, currency, interval }: NonNullable<Plan['price']>,
  language: Language,
): string {
  const { toPay, price } = textsIn(language).newsletter;
  const money = formatMoney(amount, currency, language);
  return toPay(withoutLinks(name), isInterval(interval) ? price[interval](money) : money);
}

const PERIOD_SECONDS = 30 * 86_400;

/** An example of the email. */
export const previewSubscriptionMail = (ctx: Query, input: PreviewInput<SubscriptionMailKind>): WrittenMail =>
  write(
    input,
    {
      newsletter: exampleName(input.business),
      link: `${ctx.publicUrl()}/${input.kind === 'CONFIRM_SUBSCRIPTION' ? 'confirm-subscription' : 'plan'}/example`,
      agreement: { amount: 500, currency: 'eur', periodEnd: ctx.now + PERIOD_SECONDS },
    },
    ctx.publicUrl(),
  );

const exampleName = ({ name }: BusinessRow) => `${name} Newsletter`;
