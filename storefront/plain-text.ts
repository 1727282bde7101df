/** Text of records for descriptions. Every pattern takes linear time, because the text can contain anything. */

const VARIABLE = /^(?:subscriber\.\w+|unsubscribeUrl|viewUrl|referralUrl)$/;

/** Issues of a newsletter contain variables for the subscriber, who is unknown on the storefront. */
export const withoutVariables = (text: string) =>
  text.replace(/(?<!\s)\s*\{\{([^{}]*)\}\}/g, (all, name: string) => (VARIABLE.test(name.trim()) ? '' : all));

/** Inline elements. All others separate words. */
const INLINE = /<\/?(?:a|b|code|em|i|mark|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;

/** Text without markup, for descriptions. */
export function plainText(html: string, maxLength = 160): string {
  const text = html
    .replace(INLINE, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= maxLength) return text;
  return `${text.slice(0, text.lastIndexOf(' ', maxLength - 1)).replace(/[.,;:]$/, '')}…`;
}
