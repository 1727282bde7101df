/** Processes long text in a separate thread. */
import { parentPort } from 'node:worker_threads';
import { wordsOf } from '../text/text-words.ts';
import { sanitizeHtml } from './html.ts';

/** `clean` is null if the text is nested too deeply. */
export type ProcessedText = { clean: string | null; words: string[]; cleanWords: string[] };

/** `usedMs` is the CPU time of the thread so far. */
export type ProcessedTexts = { texts: ProcessedText[]; usedMs: number };

parentPort!.on('message', (texts: string[]) => {
  const worked = texts.map(work);
  const { user, system } = process.threadCpuUsage?.() ?? { user: 0, system: 0 };
  parentPort!.postMessage({ texts: worked, usedMs: (user + system) / 1000 } satisfies ProcessedTexts);
});

function work(text: string): ProcessedText {
  const clean = sanitizeHtml(text);
  const words = [...new Set(wordsOf(text))];
  const cleanWords = clean === text || clean === null ? words : [...new Set(wordsOf(clean))];
  return { clean, words, cleanWords };
}
