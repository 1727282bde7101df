/** Text of HTML that other systems write as a description. Pure; what is kept as HTML is sanitised when it is saved. */
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  reg: '®',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  bull: '•',
  euro: '€',
  trade: '™',
  deg: '°',
  times: '×',
};

export const hasMarkup = (text: string) => /<[a-z!/][^>]{0,2000}>/i.test(text);

export function htmlToText(html: string): string {
  if (!hasMarkup(html)) return /&[a-z#]/i.test(html) ? decode(html).trim() : html.trim();
  const text = html
    .replaceAll(/<(script|style)\b[\s\S]{0,100000}?<\/\1>/gi, '')
    .replaceAll(/<(?:br|hr)\b[^>]{0,2000}>/gi, '\n')
    .replaceAll(/<li\b[^>]{0,2000}>/gi, '\n• ')
    .replaceAll(/<\/?(?:p|div|h[1-6]|ul|ol|table|tr|blockquote|section)\b[^>]{0,2000}>/gi, '\n')
    .replaceAll(/<[a-z!/][^>]{0,2000}>/gi, '');
  return decode(text)
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const decode = (text: string) =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : '';
    },
  );
