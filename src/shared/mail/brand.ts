/** The design of emails. The accent color of a business is used only where it is readable. Pure. */

export const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
export const COLORS = { page: '#f4f4f5', card: '#ffffff', ink: '#1c1c1f', quiet: '#62626b', line: '#e4e4e7' };
const DARK = { page: '#131316', card: '#1f1f23', ink: '#f4f4f5', quiet: '#b3b3bd', line: '#3d3d45' };

/** Minimum contrast of text, and of a shape such as a button, in WCAG 2.2. */
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;

export type Brand = {
  name: string;
  /** An absolute URL. */
  logo: string | null;
  /** #rrggbb. */
  color: string | null;
};

export type Accent = { button: string; onButton: string; link: string };

/** Black or white has at least 4.58:1 on any color. */
const readableOn = (color: string) => (contrast('#ffffff', color) >= TEXT_CONTRAST ? '#ffffff' : '#000000');

const accentOn = (card: string, ink: string, color: string): Accent => {
  const button = contrast(color, card) >= SHAPE_CONTRAST ? color : ink;
  return { button, onButton: readableOn(button), link: contrast(color, card) >= TEXT_CONTRAST ? color : ink };
};

export const lightAccent = ({ color }: Pick<Brand, 'color'>) => accentOn(COLORS.card, COLORS.ink, color ?? COLORS.ink);

const darkAccent = ({ color }: Pick<Brand, 'color'>) => accentOn(DARK.card, DARK.ink, color ?? DARK.ink);

/** Overrides of the inline styles in dark mode and on phones. */
export function stylesOf(brand: Brand): string {
  const { button, onButton, link } = darkAccent(brand);
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{word-break:break-word}
@media (max-width:520px){.card{padding:24px 20px!important}.column{display:block!important;width:100%!important;padding:0 0 16px!important}.thumb{width:72px!important}.button a{display:block!important;text-align:center!important}.button{width:100%!important}}
@media (prefers-color-scheme:dark){.page{background:${DARK.page}!important}.card{background:${DARK.card}!important}.card,.card p,.card h1,.card h2,.card h3,.card li,.card td,.card blockquote,.ink{color:${DARK.ink}!important}.card .quiet,.quiet,.quiet a{color:${DARK.quiet}!important}.line,.card hr,.card blockquote{border-color:${DARK.line}!important}.card a{color:${link}!important}.button td{background:${button}!important}.card .button a{color:${onButton}!important}}
`;
}

/** The WCAG contrast ratio of two colors. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
