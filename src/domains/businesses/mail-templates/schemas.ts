import Type, { type Static } from 'typebox';
import { TEMPLATE_KINDS } from '../../../shared/mail/kinds.ts';
import { LANGUAGES } from '../../../shared/mail/languages.ts';
import { BusinessId, Etag, Id, Input, Known, Line, Nullable, OneOf, Text, Timestamp } from '../../../shared/schemas.ts';
import { BrandColor, BrandLogo } from '../sale-schemas.ts';

const Kind = OneOf(TEMPLATE_KINDS, { examples: ['CONFIRMED'] });
const Language = OneOf(LANGUAGES, { examples: ['en'] });
const Subject = Line(200, {
  minLength: 1,
  description: 'Plain text with variables.',
  examples: ['Order #{{order.number}} confirmed'],
});
const Body = Text(10_000, {
  description: 'Rich text with variables. Shown above the fixed parts of the email, such as items, totals and buttons.',
  examples: ['<h1>Thank you!</h1><p>Your order number is #{{order.number}}.</p>'],
});

export const TemplateParams = Type.Object({
  businessId: BusinessId,
  kind: Known(TEMPLATE_KINDS, Type.String({ maxLength: 64, examples: ['CONFIRMED'] })),
});
export const TemplateQuery = Type.Object({
  locale: Type.Optional({
    ...Language,
    description: "The language of the text. Defaults to the business's language.",
  }),
});

export const MailTemplateInput = Input({ subject: Subject, body: Body });
export type MailTemplateInput = Static<typeof MailTemplateInput>;

const Shown = (example: string) => Type.String({ examples: [example] });
const shown = { subject: Shown('Order #{{order.number}} confirmed'), body: Shown('<h1>Thank you!</h1>') };
export const StandardMailText = Type.Object(shown, { description: 'The default text.' });

export const MailTemplate = Type.Object({
  kind: Kind,
  locale: Language,
  ...shown,
  customized: Type.Boolean({ description: 'Whether the business has changed the default text.', examples: [false] }),
  standard: StandardMailText,
  variables: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['order.number'] }),
      description: Type.String(),
      example: Type.String({ examples: ['1042'] }),
    }),
    { description: 'The variables you can use in the subject and the body.' },
  ),
  updatedAt: Nullable(Timestamp),
});
export type MailTemplate = Static<typeof MailTemplate>;
export const ListedMailTemplate = Type.Object({ ...MailTemplate.properties, etag: Etag });
export const MailTemplateList = Type.Object({ items: Type.Array(ListedMailTemplate) });
export type MailTemplateList = Static<typeof MailTemplateList>;

export const MailPreviewInput = Input({
  subject: Type.Optional({ ...Subject, description: 'Replaces the current subject in the preview.' }),
  body: Type.Optional({ ...Body, description: 'Replaces the current body in the preview.' }),
  brand: Type.Optional(
    Input(
      { logo: Type.Optional(Nullable(BrandLogo)), color: Type.Optional(Nullable(BrandColor)) },
      { description: 'Replaces the saved logo and color in the preview.' },
    ),
  ),
  orderId: Type.Optional({
    ...Id,
    description: 'Uses this order instead of sample data. Only for emails about orders.',
  }),
});
export type MailPreviewInput = Static<typeof MailPreviewInput>;
export const MailPreview = Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() });
