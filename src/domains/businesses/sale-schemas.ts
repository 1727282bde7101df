/** Settings for everything after a sale: bank transfers, returns, invoices and emails. */
import Type, { type Static } from 'typebox';
import { ChosenId, Email, Input, Line, Name, OneOf, SenderName, Text } from '../../shared/schemas.ts';
import { Locale } from '../../shared/text/locales.ts';

export const BankAccount = Input(
  {
    holder: Text(70, { pattern: '^[^\\x00-\\x1f\\x7f]*$', examples: ['Souk GmbH'] }),
    iban: Type.String({ minLength: 15, maxLength: 42, examples: ['DE89370400440532013000'] }),
    bic: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', maxLength: 11, examples: ['COBADEFFXXX'] }),
    ),
    bankName: Type.Optional(Line(100, { examples: ['Commerzbank'] })),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 90,
        default: 14,
        description: 'Days until an unpaid order is canceled.',
        examples: [14],
      }),
    ),
  },
  {
    description:
      'The bank account that customers pay to. Required before a market can accept `BANK_TRANSFER`. Visible to members only.',
  },
);
export type BankAccount = Static<typeof BankAccount>;

export const CartReminder = Input(
  {
    enabled: Type.Boolean({ description: 'Whether reminders are sent.', examples: [true] }),
    delayHours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 336,
        default: 24,
        description: 'Hours after the cart was last changed.',
        examples: [24],
      }),
    ),
    url: Type.Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^https?://[^\\s?#]+$',
        description:
          'The cart page of your storefront, which gets a token in `?restore=`. Defaults to the storefront of the business.',
        examples: ['https://shop.example/cart'],
      }),
    ),
  },
  { description: 'Emails customers about abandoned carts, if they asked for a reminder. Off by default.' },
);

export const ReturnSettings = Input({
  periodDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 365,
      description:
        'The number of days after delivery within which customers can return items or withdraw from the contract. Defaults to 14, the minimum in the EU.',
      examples: [14],
    }),
  ),
  instructions: Type.Optional(
    Type.String({
      maxLength: 4000,
      description: 'How to send items back. Emailed to the customer when a return is approved.',
      examples: ['Use the original box and put the delivery note inside.'],
    }),
  ),
  address: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Where to send items back.',
      examples: ['Souk Returns, 1 Main Street, 10115 Berlin'],
    }),
  ),
});

/** Printed on invoices, next to the brand logo and the legal name, address and tax ID of the profile. */
export const Seller = Input(
  {
    vatId: Type.Optional(Line(50, { examples: ['DE123456789'] })),
    registration: Type.Optional(
      Line(200, {
        description: 'The company register and registration number.',
        examples: ['Amtsgericht München, HRB 12345'],
      }),
    ),
    email: Type.Optional(Email),
    phone: Type.Optional(Line(40, { examples: ['+49 89 123456'] })),
    bank: Type.Optional(
      Input({
        holder: Type.Optional(Name('Souk GmbH')),
        iban: Line(42, { description: 'Spaces are ignored.', examples: ['DE02 1203 0000 0000 2020 51'] }),
        bic: Type.Optional(
          Type.String({ maxLength: 11, pattern: '^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', examples: ['BYLADEM1001'] }),
        ),
      }),
    ),
  },
  { description: 'Contact, registration and bank account on invoices. Visible to members only.' },
);
export type Seller = Static<typeof Seller>;

export const DOCUMENT_FORMATS = ['PDF', 'FACTUR_X', 'XRECHNUNG', 'XRECHNUNG_UBL'] as const;
export const PAPER_SIZES = ['A4', 'LETTER'] as const;

export const Series = (options: object) =>
  Type.String({ maxLength: 20, pattern: '^([A-Za-z0-9_./-]*[A-Za-z_./-])?$', ...options });

export const Invoicing = Input(
  {
    series: Type.Optional(
      Series({
        description:
          'The prefix of invoice numbers. Each prefix is its own series, which starts at 1. Defaults to `INV-`.',
        examples: ['INV-'],
      }),
    ),
    nextNumber: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000_000,
        description: 'The number of the next invoice in the series. It can only be increased.',
        examples: [1],
      }),
    ),
    creditSeries: Type.Optional(
      Series({ description: 'The prefix of credit note numbers. Defaults to `CN-`.', examples: ['CN-'] }),
    ),
    issueAt: Type.Optional(
      OneOf(['PAYMENT', 'SHIPMENT'], {
        description:
          'When the invoice is issued: on payment, or once the order is paid and its first items are shipped.',
      }),
    ),
    format: Type.Optional(
      OneOf(DOCUMENT_FORMATS, {
        description:
          '`FACTUR_X` embeds an EN 16931 e-invoice in the PDF, `XRECHNUNG` adds one as an XML file in CII syntax, and `XRECHNUNG_UBL` in UBL syntax. All require the addresses of buyer and seller and the tax ID or VAT ID of the seller. Otherwise, only a PDF is issued.',
      }),
    ),
    legalText: Type.Optional(
      Text(2000, {
        description: 'Printed below the totals.',
        examples: ['Goods remain our property until paid in full.'],
      }),
    ),
    paperSize: Type.Optional(
      OneOf(PAPER_SIZES, { description: 'Defaults to the usual paper size in the country of the business.' }),
    ),
  },
  { description: 'Numbers and format of invoices and credit notes. Visible to members only.' },
);
export type Invoicing = Static<typeof Invoicing>;

export const BrandLogo = Input(
  {
    id: Type.Optional(ChosenId),
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '^(https?://|/)[^\\s]*$',
      examples: ['https://example.com/media/biz_demo/3f2a-small.png'],
    }),
  },
  { description: 'A PNG, JPEG or GIF image. `id` is its ID in the media library.' },
);
export const BrandColor = Type.String({
  maxLength: 7,
  pattern: '^#[0-9a-fA-F]{6}$',
  description: 'The color of buttons and links in emails. If the contrast is too low, black or white is used.',
  examples: ['#a4401f'],
});

export const EmailSettings = Input({
  fromName: Type.Optional(SenderName),
  replyTo: Type.Optional(Email),
  locale: Type.Optional({
    ...Locale,
    description: "The language of emails to people whose language isn't known. Defaults to English.",
  }),
  footer: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Legal details at the end of each email, below the name and address of the business.',
      examples: ['Commercial register: Berlin HRB 12345'],
    }),
  ),
});

export const MAIL_PROVIDERS = ['SES', 'POSTMARK', 'SENDGRID', 'MAILGUN'] as const;

export const MailEventsSettings = Input(
  {
    type: OneOf(MAIL_PROVIDERS, { examples: ['POSTMARK'] }),
    secret: Type.Optional(
      Text(500, {
        description:
          'The key that authenticates events from the provider. Mailgun: the webhook signing key. SendGrid: the public key of the signed event webhook. ' +
          'Postmark: the password in the URL, at least 16 characters. Amazon SES: the ARN of the SNS topic. Returned as `****` and the last 4 characters. ' +
          'Send the masked value to keep the stored secret.',
        examples: ['****a1b2'],
      }),
    ),
  },
  {
    description:
      'The email provider that reports bounces and complaints to `/v1/mail/events/{provider}/{businessId}`. Visible to members only.',
  },
);
export type MailEventsSettings = Static<typeof MailEventsSettings>;
