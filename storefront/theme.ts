/** The theme as a stylesheet. Its file name contains all values, so the file can be cached forever and old pages keep their theme. */
import type { StorefrontConfig } from './page.ts';

type Theme = NonNullable<StorefrontConfig['theme']>;

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, "Liberation Serif", serif';
const HUMANIST = 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif';
const GEOMETRIC = 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif';
/** Headings and text. */
const FONTS: Record<string, [string, string]> = {
  classic: [SERIF, SANS],
  modern: [SANS, SANS],
  editorial: [SERIF, SERIF],
  humanist: [HUMANIST, HUMANIST],
  geometric: [GEOMETRIC, SANS],
};
const DARK_PAPER = '#161311';
const DEFAULTS = { background: '#f7f3ec', text: '#221c17', accent: '#a4401f' };

const NAME = /^theme-([0-9a-f]{6})-([0-9a-f]{6})-([0-9a-f]{6})-([a-z]+)-(auto|light|dark)\.css$/;

export function themeFile({ colors = {}, fonts = 'classic', mode = 'AUTO' }: Theme): string {
  const { accent, background, text } = { ...DEFAULTS, ...colors };
  const values = [accent, background, text].map((color) => color.slice(1).toLowerCase());
  return `theme-${values.join('-')}-${fonts}-${mode.toLowerCase()}.css`;
}

/** Null if it is not the name of a theme. */
export function themeStyles(file: string): string | null {
  const [, accent, background, text, fonts, mode] = NAME.exec(file) ?? [];
  const pair = FONTS[fonts ?? ''];
  if (!accent || !pair) return null;
  const own = palette(`#${accent}`, `#${background}`, `#${text}`);
  const typefaces = `--display: ${pair[0]}; --sans: ${pair[1]};`;
  if (mode !== 'auto') return `:root { ${typefaces} ${own} }\n`;
  const dark = accentColors(readable(`#${accent}`, DARK_PAPER, '#ffffff'));
  return `:root { ${typefaces} }
@media (prefers-color-scheme: light) { :root { ${own} } }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
`;
}

function palette(accent: string, paper: string, ink: string): string {
  const mixed = (share: number) => mix(paper, ink, share);
  return `--paper: ${paper}; --ink: ${ink}; --sheet: ${mix(paper, '#ffffff', isDark(paper) ? 0.05 : 0.6)};
  --soft: ${readable(mixed(0.62), paper, ink)}; --line: ${mixed(0.14)}; --tint: ${mixed(0.07)};
  --field: ${isDark(paper) ? mixed(0.04) : '#ffffff'}; --field-line: ${mixed(0.5)}; ${accentColors(accent)}`;
}

/** The accent color and the color of text on it. */
export function accentOf({ colors = {} }: Theme): { accent: string; onAccent: string } {
  const { accent } = { ...DEFAULTS, ...colors };
  return { accent, onAccent: textOn(accent) };
}

const textOn = (accent: string) => (contrast('#ffffff', accent) >= 4.5 ? '#ffffff' : '#111111');

function accentColors(accent: string): string {
  const on = textOn(accent);
  return `--accent: ${accent}; --accent-strong: ${mix(accent, on === '#ffffff' ? '#000000' : '#ffffff', 0.2)}; --on-accent: ${on};`;
}

/** The color, moved toward `end` until it is readable on the background. */
function readable(color: string, background: string, end: string): string {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, background) >= 4.6) return mixed;
  }
  return end;
}

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  return `#${a
    .map((value, i) =>
      Math.round(value + (b[i]! - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function luminance(color: string): number {
  const [r, g, b] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** The WCAG contrast ratio of two colors. */
function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const isDark = (color: string) => luminance(color) < 0.2;
