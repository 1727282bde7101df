const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Converts sanitized rich text to plain text. Links keep their URL, list items get dashes. */
export function plainText(html: string): string {
  const text = html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/g, (_all, href: string, label: string) =>
      stripTags(label).trim() === '' || stripTags(label) === href ? href : `${label} (${href})`,
    )
    .replaceAll(/<img\b[^>]*\balt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<br\b[^>]*> ?/g, '\n')
    .replaceAll(/<hr\b[^>]*>/g, '\n\n----\n\n')
    .replaceAll(/<li\b[^>]*> ?/g, '\n- ')
    .replaceAll(/<\/t[dh]> ?/g, '  ')
    .replaceAll(/<\/?(tr|dt|dd)\b[^>]*> ?/g, '\n')
    .replaceAll(/ ?<\/?(p|h[1-6]|ul|ol|dl|div|blockquote|pre|table|figure|figcaption|caption)\b[^>]*> ?/g, '\n\n');
  return decodeEntities(stripTags(text))
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const stripTags = (html: string) => html.replaceAll(/<[^<>]*>/g, '');

export const decodeEntities = (text: string) =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name) return NAMED[name.toLowerCase()] ?? all;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
