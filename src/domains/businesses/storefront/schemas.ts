/** Settings of the storefront, the public website of a business. */
import Type, { type Static } from 'typebox';
import { Id, Input, Line, Name, OneOf, Text } from '../../../shared/schemas.ts';
import { Locale } from '../../../shared/text/locales.ts';
import { BrandLogo } from '../sale-schemas.ts';

export const Host = Type.String({
  maxLength: 253,
  pattern: '^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9](:[0-9]{1,5})?$',
  description: 'A host name in lower case, without a scheme or path.',
  examples: ['shop.example.com'],
});

const Color = Type.String({ maxLength: 7, pattern: '^#[0-9a-fA-F]{6}$', examples: ['#a4401f'] });

export const FONT_PAIRS = ['classic', 'modern', 'editorial', 'humanist', 'geometric'] as const;

const Theme = Input({
  logo: Type.Optional({ ...BrandLogo, description: 'Replaces the brand logo on the storefront.' }),
  colors: Type.Optional(
    Input({
      accent: Type.Optional({ ...Color, description: 'The color of buttons and links.' }),
      background: Type.Optional({ ...Color, description: 'The page background color.' }),
      text: Type.Optional({ ...Color, description: 'The text color. It must be readable on the background.' }),
    }),
  ),
  fonts: Type.Optional(
    OneOf(FONT_PAIRS, {
      description: 'The typefaces of headings and text. All are system fonts, so pages load no font files.',
      examples: ['classic'],
    }),
  ),
  mode: Type.Optional(
    OneOf(['AUTO', 'LIGHT', 'DARK'], { description: "Light or dark. `AUTO` follows the visitor's device." }),
  ),
});

const Target = Type.String({
  maxLength: 2000,
  pattern: '^(https?://[^\\s]+|/[^\\s\\\\]*|mailto:[^\\s]+|tel:[+0-9() -]+)$',
  description: 'A path on the storefront, such as `/products`, or a full URL.',
  examples: ['/products'],
});
const LocalText = (maxLength: number, example: string) =>
  Type.Union([Line(maxLength, { minLength: 1 }), Type.Record(Locale, Line(maxLength), { maxProperties: 50 })], {
    description: 'A string, or an object with one string per locale.',
    examples: [example],
  });
const Link = { label: LocalText(100, 'All products'), url: Target };

const NavigationItem = Input({
  ...Link,
  items: Type.Optional(Type.Array(Input(Link), { maxItems: 30, description: 'The links of a submenu.' })),
});

const LegalText = Type.Union(
  [
    Type.String({ maxLength: 100_000 }),
    Type.Record(Locale, Type.String({ maxLength: 100_000 }), { maxProperties: 20 }),
  ],
  { description: 'HTML, or HTML for each locale. It is sanitized.', examples: ['<p>…</p>'] },
);
export const StorefrontLegal = Input({
  terms: Type.Optional(LegalText),
  privacy: Type.Optional(LegalText),
  imprint: Type.Optional(LegalText),
  withdrawal: Type.Optional(LegalText),
  shipping: Type.Optional({
    ...LegalText,
    description: 'Shipping costs and delivery times. Linked next to every price.',
  }),
});
export const LEGAL_PAGES = ['terms', 'privacy', 'imprint', 'withdrawal', 'shipping'] as const;

export const StorefrontSettings = Input(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the storefront is open. Defaults to false.' })),
    hosts: Type.Optional(
      Type.Array(Host, {
        maxItems: 20,
        description:
          'Host names of the storefront. A host serves the storefront once its DNS record is verified. The first one is canonical.',
      }),
    ),
    locales: Type.Optional(
      Type.Array(Locale, { maxItems: 20, description: 'Languages. The first one is the default.', examples: [['en']] }),
    ),
    theme: Type.Optional(Theme),
    title: Type.Optional({
      ...LocalText(70, 'Well-made things for every day'),
      description: 'The title of the home page.',
    }),
    description: Type.Optional({
      ...LocalText(320, 'Linen, wool, clay, and wood.'),
      description: 'Shown on the home page and by search engines.',
    }),
    image: Type.Optional({ ...BrandLogo, description: 'Shown when a page without an image of its own is shared.' }),
    navigation: Type.Optional(Type.Array(NavigationItem, { maxItems: 20 })),
    announcement: Type.Optional(Input({ text: LocalText(200, 'Free shipping from $100'), url: Type.Optional(Target) })),
    footer: Type.Optional(
      Input({
        text: Type.Optional(LocalText(500, 'Made in Portland since 2012.')),
        links: Type.Optional(Type.Array(Input(Link), { maxItems: 30 })),
      }),
    ),
    legal: Type.Optional(StorefrontLegal),
    social: Type.Optional(
      Type.Array(
        Input({ name: Name('Instagram'), url: Type.String({ maxLength: 2000, pattern: '^https://[^\\s]+$' }) }),
        {
          maxItems: 20,
          examples: [[{ name: 'Instagram', url: 'https://instagram.com/example' }]],
        },
      ),
    ),
  },
  { description: 'The public website of the business.' },
);
export type StorefrontSettings = Static<typeof StorefrontSettings>;

export const StorefrontHost = Type.Object({
  host: Host,
  isVerified: Type.Boolean({ description: 'Whether the host serves the storefront.', examples: [true] }),
  record: Type.Object(
    {
      type: Type.String({ examples: ['TXT'] }),
      name: Type.String({ examples: ['_souk.shop.example.com'] }),
      value: Type.String({ examples: ['souk-site=8e5f'] }),
    },
    { description: 'The DNS record to add.' },
  ),
});
export type StorefrontHost = Static<typeof StorefrontHost>;
export const StorefrontHosts = Type.Object({ items: Type.Array(StorefrontHost) });

export const HostParams = Type.Object({
  businessId: Id,
  host: Type.String({ maxLength: 260, examples: ['shop.example.com'] }),
});

export const StorefrontPreviewInput = Input({
  storefront: StorefrontSettings,
  path: Type.Optional(Type.String({ maxLength: 500, pattern: '^/', examples: ['/'] })),
});
export type StorefrontPreviewInput = Static<typeof StorefrontPreviewInput>;
export const StorefrontPreview = Type.Object({ html: Text(4_000_000, { description: 'The page as HTML.' }) });
