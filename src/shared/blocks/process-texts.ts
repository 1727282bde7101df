/** Sanitizes long text and splits it into words, in a thread. */
import { wordsOf } from '../text/text-words.ts';
import { sanitizeHtml } from './html.ts';

/** `clean` is null if the text is nested too deeply. */
export type ProcessedText = { clean: string | null; words: string[]; cleanWords: string[] };

export const convert = (texts: readonly string[]): ProcessedText[] => texts.map(process);

function process(text: string): ProcessedText {
  const clean = sanitizeHtml(text);
  const words = [...new Set(wordsOf(text))];
  const cleanWords = clean === text || clean === null ? words : [...new Set(wordsOf(clean))];
  return { clean, words, cleanWords };
}
