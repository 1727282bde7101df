/** The fonts of documents. Opening one takes longer than rendering a page, so they are opened once. */
import { createRequire } from 'node:module';
import { openSync } from 'fontkit';

type Glyph = { advanceWidth: number };
export type Font = {
  hasGlyphForCodePoint(code: number): boolean;
  glyphForCodePoint(code: number): Glyph;
};

const { resolve } = createRequire(import.meta.url);

function open(file: string) {
  const font = openSync(resolve(`@expo-google-fonts/inter/${file}`)) as unknown as Font;
  return Object.create(font, { layout: { value: (text: string) => layOut(font, text) } }) as Font;
}

/** Places the glyphs one after another. Applying the ligatures and alternates of the font takes several times as long. */
function layOut(font: Font, text: string) {
  const glyphs = Array.from(text, (character) => font.glyphForCodePoint(character.codePointAt(0)!));
  const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
  return {
    glyphs,
    positions,
    /** Computed when it is read, because pdfkit scales the positions. */
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  };
}

export const FONTS = {
  regular: open('400Regular/Inter_400Regular.ttf'),
  bold: open('600SemiBold/Inter_600SemiBold.ttf'),
};
