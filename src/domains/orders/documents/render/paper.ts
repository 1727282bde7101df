/** A PDF/A-3b document with the fonts and text styles of invoices. */
import PDFDocument from 'pdfkit';
import { FONTS, type Font } from './fonts.ts';

export const INK = '#1a1a1a';
export const QUIET = '#6b7280';
export const HAIRLINE = '#e5e7eb';
export const MARGIN = 48;
const LINE_GAP = 2;

type TextStyle = {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
  width?: number;
};

type PaperOptions = {
  size: 'A4' | 'LETTER';
  language: string;
  title: string;
  author: string;
  subject: string;
  createdAt: Date;
};

/** The current font, which is missing from pdfkit's types. */
const fontOf = (pdf: object) => (pdf as { _font: { font: Font } })._font.font;

export function createPaper({ size, language, title, author, subject, createdAt }: PaperOptions) {
  const pdf = new PDFDocument({
    size,
    margins: { top: MARGIN, bottom: 0, left: MARGIN, right: MARGIN },
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: language,
    displayTitle: true,
    // No default font, because it would not be embedded.
    font: null,
    info: {
      Title: title,
      Author: author,
      Subject: subject,
      Creator: 'Souk',
      Producer: 'Souk',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  } as unknown as PDFKit.PDFDocumentOptions);
  for (const [name, font] of Object.entries(FONTS)) pdf.registerFont(name, font as never);

  /** PDF/A doesn't allow missing glyphs, so characters that the font does not have are replaced. */
  function printable(text: string): string {
    const font = fontOf(pdf);
    return Array.from(text.normalize('NFC').replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' '), (character) =>
      character === '\n' || font.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : '?',
    ).join('');
  }

  function use({ size = 9, bold = false, color = INK }: TextStyle): void {
    pdf
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
  }

  const options = ({ width, align = 'left' }: TextStyle) => ({
    ...(width === undefined ? { lineBreak: false } : { width }),
    align,
    lineGap: LINE_GAP,
  });

  return {
    pdf,
    height(text: string, style: TextStyle): number {
      use(style);
      return text === '' ? 0 : pdf.heightOfString(printable(text), options(style));
    },
    /** Returns the y below the text. */
    text(text: string, x: number, y: number, style: TextStyle = {}): number {
      if (text === '') return y;
      use(style);
      pdf.text(printable(text), x, y, options(style));
      return style.width === undefined ? y + pdf.currentLineHeight(true) + LINE_GAP : pdf.y;
    },
    rule(x: number, y: number, width: number, color = HAIRLINE): void {
      pdf
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.6)
        .strokeColor(color)
        .stroke();
    },
    /** The finished file. */
    async bytes(): Promise<Buffer> {
      const chunks: Buffer[] = [];
      pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = new Promise<void>((done, fail) => pdf.on('end', done).on('error', fail));
      pdf.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

export type Paper = ReturnType<typeof createPaper>;
