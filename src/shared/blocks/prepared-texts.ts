/**
 * Rich text is sanitised and every text is cut into words when it is written. For long texts that takes up to seconds: it is done
 * before the transaction, in a thread, within a time limit. A process that meets none has no such thread.
 */
import { Worker } from 'node:worker_threads';
import { invalidField, ServiceError, unavailable } from '../errors.ts';
import { wordsOf } from '../text-words.ts';
import { sanitizeHtml } from './html.ts';
import type { Worked, WorkedText } from './text-worker.ts';

/** Together up to this long, and with this many of the characters that make markup, texts take a few milliseconds. */
const SHORT = 10_000;
const LITTLE_MARKUP = 1000;
/** Of the thread's own time, so that a busy machine refuses nothing. */
const LIMIT_MS = 6000;
const WAIT_LIMIT_MS = 60_000;
const IDLE_MS = 30_000;
const MAX_WAITING = 32;

export type PreparedTexts = {
  /** The text sanitised, or null when it is nested too deeply. Raises `TextsChanged` for a long text that was not prepared. */
  sanitize(text: string): string | null;
  words(text: string): Iterable<string>;
};

/** The texts are not those that were prepared: the record was changed meanwhile. To be prepared again. */
class TextsChanged extends ServiceError {
  constructor() {
    super('CONFLICT', 'The record is being changed at this moment. Try again when that is done.');
  }
}

export const isTextsChanged = (error: unknown) => error instanceof TextsChanged;

/** Enough for short texts. */
export const NOTHING_PREPARED: PreparedTexts = preparedFrom(new Map(), new Map());

/** What is long in the values of these blocks, whatever they are. Raises 422 when it takes too long. */
export async function prepareTexts(blocks: unknown): Promise<PreparedTexts> {
  const texts = [...new Set(textsIn(blocks))];
  if (isQuick(texts)) return NOTHING_PREPARED;
  const worked = await inThread(texts);
  const [clean, words] = [new Map<string, string | null>(), new Map<string, string[]>()];
  for (const [i, text] of texts.entries()) {
    const one = worked[i]!;
    clean.set(text, one.clean);
    words.set(text, one.words);
    if (one.clean !== null) words.set(one.clean, one.cleanWords);
  }
  return preparedFrom(clean, words);
}

function preparedFrom(clean: Map<string, string | null>, words: Map<string, string[]>): PreparedTexts {
  const quick = (text: string) => {
    if (!isQuick([text])) throw new TextsChanged();
    return text;
  };
  return {
    sanitize(text) {
      const known = clean.get(text);
      return known === undefined ? sanitizeHtml(quick(text)) : known;
    },
    words: (text) => words.get(text) ?? wordsOf(quick(text)),
  };
}

function isQuick(texts: readonly string[]): boolean {
  let [length, markup] = [0, 0];
  for (const text of texts) {
    length += text.length;
    if (length > SHORT) return false;
    for (const _ of text.matchAll(/[<>&]/g)) markup++;
  }
  return markup <= LITTLE_MARKUP;
}

/** The strings in the values of blocks: texts, and texts by locale. */
function* textsIn(blocks: unknown): Generator<string> {
  if (!Array.isArray(blocks)) return;
  for (const block of blocks) {
    const value: unknown = block?.value;
    if (typeof value === 'string') yield value;
    else if (typeof value === 'object' && value !== null) {
      for (const text of Object.values(value)) if (typeof text === 'string') yield text;
    }
  }
}

type Task = { texts: string[]; resolve: (worked: WorkedText[]) => void; reject: (error: Error) => void };

const waiting: Task[] = [];
let worker: Worker | null = null;
/** What the thread had used when its task began. */
let usedMs = 0;
let current: Task | null = null;
let timer: NodeJS.Timeout | undefined;

function inThread(texts: string[]): Promise<WorkedText[]> {
  if (waiting.length >= MAX_WAITING) return Promise.reject(unavailable());
  return new Promise((resolve, reject) => {
    waiting.push({ texts, resolve, reject });
    if (!current) next();
  });
}

/** One after the other; a thread with nothing to do ends after a while. */
function next(): void {
  clearTimeout(timer);
  current = waiting.shift() ?? null;
  if (!current) {
    timer = setTimeout(stop, IDLE_MS).unref();
    return;
  }
  worker ??= start();
  limitTime(worker, performance.now());
  worker.postMessage(current.texts);
}

function limitTime(thread: Worker, begunMs: number): void {
  timer = setTimeout(async () => {
    const task = current;
    const isOver = performance.now() - begunMs > WAIT_LIMIT_MS || (await cpuMs(thread)) - usedMs > LIMIT_MS;
    if (current !== task || worker !== thread) return;
    if (isOver) end(tooSlow());
    else limitTime(thread, begunMs);
  }, LIMIT_MS / 2);
}

/** Of a thread that is just ending: none. */
const cpuMs = (thread: Worker) =>
  thread.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  );

function start(): Worker {
  const started = new Worker(new URL('./text-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  started.unref();
  usedMs = 0;
  started.on('message', (done: Worked) => {
    usedMs = done.usedMs;
    current?.resolve(done.texts);
    next();
  });
  // It runs out of memory, most likely, with this text.
  started.on('error', () => {
    if (worker === started) end(tooSlow());
  });
  return started;
}

/** The thread cannot be asked to stop: it is ended, and the next task gets another one. */
function end(error: Error): void {
  stop();
  current?.reject(error);
  next();
}

function stop(): void {
  void worker?.terminate();
  worker = null;
}

const tooSlow = () =>
  invalidField('blocks', 'TOO_COMPLEX', 'blocks hold text that takes too long to read: use less markup.');
