/** The form values of the storefront settings. */
import type { Business, Media, StorefrontSettings } from '@souk/client';
import type { Localized } from '../../../parts/form/localized.tsx';

export const LEGAL = ['imprint', 'terms', 'privacy', 'withdrawal', 'shipping'] as const;
type Legal = (typeof LEGAL)[number];
export const FONTS = ['classic', 'modern', 'editorial', 'humanist', 'geometric'] as const;
export const MODES = ['AUTO', 'LIGHT', 'DARK'] as const;

export type Link = { label: Localized; url: string };
type Image = { id?: string; url: string };

export type Values = {
  enabled: boolean;
  hosts: string[];
  locales: string[];
  logo: Image | null;
  /** Shown in link previews of the home page. */
  image: Image | null;
  accent: string;
  background: string;
  text: string;
  fonts: (typeof FONTS)[number];
  mode: (typeof MODES)[number];
  title: Localized;
  description: Localized;
  navigation: Link[];
  announcement: Localized;
  announcementUrl: string;
  footerText: Localized;
  footerLinks: Link[];
  legal: Partial<Record<Legal, Localized>>;
  social: { name: string; url: string }[];
};

export function readValues({ configs: { storefront = {} } }: Business): Values {
  const { theme = {}, announcement, footer = {} } = storefront;
  const { accent = '', background = '', text = '' } = theme.colors ?? {};
  return {
    enabled: storefront.enabled ?? false,
    hosts: storefront.hosts ?? [],
    locales: storefront.locales ?? [],
    logo: theme.logo ?? null,
    image: storefront.image ?? null,
    accent,
    background,
    text,
    fonts: theme.fonts ?? 'classic',
    mode: theme.mode ?? 'AUTO',
    title: storefront.title ?? '',
    description: storefront.description ?? '',
    navigation: storefront.navigation ?? [],
    announcement: announcement?.text ?? '',
    announcementUrl: announcement?.url ?? '',
    footerText: footer.text ?? '',
    footerLinks: footer.links ?? [],
    legal: storefront.legal ?? {},
    social: storefront.social ?? [],
  };
}

/** Empty fields are left out. */
export function writeValues(values: Values): StorefrontSettings {
  const { enabled, hosts, locales, logo, image, fonts, mode, announcementUrl, social } = values;
  const colors = Object.fromEntries(
    (['accent', 'background', 'text'] as const).flatMap((name) => {
      const color = values[name].trim();
      return color ? [[name, color]] : [];
    }),
  );
  const title = filled(values.title);
  const description = filled(values.description);
  const announcement = filled(values.announcement);
  const footerText = filled(values.footerText);
  const url = announcementUrl.trim();
  return {
    enabled,
    hosts: hosts.map((host) => host.trim().toLowerCase()).filter(Boolean),
    ...(locales.length > 0 && { locales }),
    theme: { fonts, mode, colors, ...(logo && { logo }) },
    ...(title && { title }),
    ...(description && { description }),
    ...(image && { image }),
    ...(values.navigation.length > 0 && { navigation: values.navigation }),
    ...(announcement && { announcement: { text: announcement, ...(url && { url }) } }),
    footer: { ...(footerText && { text: footerText }), links: values.footerLinks },
    legal: Object.fromEntries(Object.entries(values.legal).filter(([, text]) => filled(text))),
    social,
  };
}

/** The settings don't store the file name or alt text. */
export const toMedia = (image: Image | null, title: string): Media[] =>
  image ? [{ id: image.url, title, url: image.url, mimeType: 'image/png' }] : [];

export const fromMedia = ({ id, url, resolutions }: Media, size: 'small' | 'large'): Image => ({
  id,
  url: resolutions?.[size]?.url ?? url,
});

/** Undefined if there is no text in any language. */
function filled(text: Localized): Localized | undefined {
  if (typeof text === 'string') return text.trim() ? text : undefined;
  const texts = Object.entries(text).filter(([, each]) => each.trim());
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}
