import type { Query as AnyQuery, AppServices } from '../../../context/index.ts';
import { badRequest, invalid, notFound } from '../../../shared/errors.ts';
import {
  type CartMailKind,
  isCartKind,
  isOrderKind,
  type OrderMailKind,
  type SubscriptionMailKind,
} from '../../../shared/mail/kinds.ts';
import { type Language, textsIn } from '../../../shared/mail/languages.ts';
import type { MailText, RenderedMail } from '../../../shared/mail/render.ts';
import { getBusiness } from '../get-business.ts';
import type { BusinessRow } from '../queries.ts';
import { businessLanguage, type WrittenMail } from './business-mail.ts';
import { checkTemplate } from './check-template.ts';
import { findMailText } from './find-text.ts';
import type { MailPreviewInput } from './schemas.ts';
import { getKind } from './templates.ts';

type Query = AnyQuery<AppServices>;

export type PreviewInput<Kind> = {
  kind: Kind;
  business: BusinessRow;
  language: Language;
  text: MailText | null;
};

/** Examples of the emails of other domains. */
export type MailPreviews = Readonly<{
  /** Null if the order doesn't exist. */
  order(ctx: Query, input: PreviewInput<OrderMailKind> & { orderId: string | null }): Promise<WrittenMail | null>;
  subscription(ctx: Query, input: PreviewInput<SubscriptionMailKind>): WrittenMail;
  cart(ctx: Query, input: PreviewInput<CartMailKind>): WrittenMail;
}>;

type Input = MailPreviewInput & { kind: string; locale?: Language | undefined };

/** Renders an email with unsaved text. Stores nothing. */
export async function previewMail(ctx: Query, input: Input): Promise<RenderedMail> {
  const { orderId = null } = input;
  const kind = getKind(input.kind);
  const business = withBrand(await getBusiness(ctx, ctx.businessId), input.brand);
  const language = input.locale ?? businessLanguage(business);
  const current = (await findMailText(ctx, ctx.businessId, kind, language)) ?? textsIn(language).mails[kind];
  const { subject = current.subject, body = current.body } = input;
  const text = await checkTemplate(ctx.businessId, kind, { subject, body });
  if ('errors' in text) throw invalid(text.errors);
  if (orderId !== null && !isOrderKind(kind)) throw badRequest('orderId is only for emails about orders.');
  const { order, subscription, cart } = ctx.businesses.previews;
  const mail = isOrderKind(kind)
    ? await order(ctx, { kind, business, language, text, orderId })
    : isCartKind(kind)
      ? cart(ctx, { kind, business, language, text })
      : subscription(ctx, { kind, business, language, text });
  if (!mail) throw notFound('Order');
  return { subject: mail.subject, html: mail.html, text: mail.text };
}

function withBrand(business: BusinessRow, brand: MailPreviewInput['brand']): BusinessRow {
  if (!brand) return business;
  const { logo, color } = brand;
  return { ...business, configs: { ...business.configs, brand: { ...(logo && { logo }), ...(color && { color }) } } };
}
