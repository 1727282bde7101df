/** Runs in a thread of its own: what takes long with a long text. */
import { parentPort } from 'node:worker_threads';
import { wordsOf } from '../text-words.ts';
import { sanitizeHtml } from './html.ts';

/** `clean` null: it is nested too deeply. */
export type WorkedText = { clean: string | null; words: string[]; cleanWords: string[] };

/** `usedMs`: what the thread has used until now. */
export type Worked = { texts: WorkedText[]; usedMs: number };

parentPort!.on('message', (texts: string[]) => {
  const worked = texts.map(work);
  const { user, system } = process.threadCpuUsage();
  parentPort!.postMessage({ texts: worked, usedMs: (user + system) / 1000 } satisfies Worked);
});

function work(text: string): WorkedText {
  const clean = sanitizeHtml(text);
  const words = [...new Set(wordsOf(text))];
  const cleanWords = clean === text || clean === null ? words : [...new Set(wordsOf(clean))];
  return { clean, words, cleanWords };
}
