/**
 * On write, rich text is sanitized and all text is split into words. Long text can take seconds, so it is processed before the
 * transaction, in a thread with a time limit. The thread is started on demand.
 */
import { Worker } from 'node:worker_threads';
import { invalidField, ServiceError, unavailable } from '../errors.ts';
import { isRecord } from '../is-record.ts';
import { wordsOf } from '../text/text-words.ts';
import { MAX_BLOCKS, MAX_LOCALES } from './block-schemas.ts';
import { sanitizeHtml } from './html.ts';
import type { ProcessedText, ProcessedTexts } from './text-worker.ts';

/** Strings up to this total length, with up to this many markup characters, take a few milliseconds. */
const SHORT = 10_000;
const LITTLE_MARKUP = 1000;
/** Measured as CPU time of the thread, so that load on the machine doesn't cause rejections. */
const LIMIT_MS = 6000;
const WAIT_LIMIT_MS = 60_000;
const IDLE_MS = 30_000;
const MAX_WAITING = 32;

export type PreparedTexts = {
  /** Sanitizes the text. Returns null if it is nested too deeply. Throws `TextsChanged` for long text that was not prepared. */
  sanitize(text: string): string | null;
  words(text: string): Iterable<string>;
};

/** The text differs from the prepared one because the record was changed in between. Prepare it again. */
class TextsChanged extends ServiceError {
  constructor() {
    super('CONFLICT', 'Another request is changing this record. Try again.');
  }
}

export const isTextsChangedError = (error: unknown) => error instanceof TextsChanged;

/** Enough for short text. */
export const NOTHING_PREPARED: PreparedTexts = preparedFrom(new Map(), new Map());

/** Processes the long text in the values of these blocks, and rich text outside blocks. Throws 422 if that takes too long. */
export async function prepareTexts(blocks: unknown, richTexts: readonly string[] = []): Promise<PreparedTexts> {
  const texts = [...new Set([...textsIn(blocks), ...richTexts])];
  if (isQuick(texts)) return NOTHING_PREPARED;
  const worked = await processInThread(texts);
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

/**
 * The strings in the values of blocks, including those by locale. If there are too many, they are skipped, because validation
 * rejects them.
 */
function* textsIn(blocks: unknown): Generator<string> {
  if (!Array.isArray(blocks) || blocks.length > MAX_BLOCKS) return;
  for (const block of blocks) {
    const value: unknown = block?.value;
    if (typeof value === 'string') yield value;
    else if (isRecord(value) && Object.keys(value).length <= MAX_LOCALES) {
      for (const text of Object.values(value)) if (typeof text === 'string') yield text;
    }
  }
}

type Task = { texts: string[]; resolve: (worked: ProcessedText[]) => void; reject: (error: Error) => void };

const waiting: Task[] = [];
let worker: Worker | null = null;
/** CPU time of the thread when its task began. */
let usedMs = 0;
let current: Task | null = null;
let timer: NodeJS.Timeout | undefined;

function processInThread(texts: string[]): Promise<ProcessedText[]> {
  if (waiting.length >= MAX_WAITING) return Promise.reject(unavailable());
  return new Promise((resolve, reject) => {
    waiting.push({ texts, resolve, reject });
    if (!current) next();
  });
}

/** Runs tasks one at a time. An idle thread is stopped after a while. */
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

function limitTime(thread: Worker, startMs: number): void {
  timer = setTimeout(async () => {
    if (performance.now() - startMs > WAIT_LIMIT_MS) return end(tooSlow());
    // Set before the CPU time is known: a thread that is ending may never report it.
    limitTime(thread, startMs);
    const task = current;
    const isOver = (await cpuMs(thread)) - usedMs > LIMIT_MS;
    if (isOver && current === task && worker === thread) end(tooSlow());
  }, LIMIT_MS / 2);
}

/** Returns 0 if the thread is ending or Node can't measure it (below 22.20). Then only the wait limit applies. */
const cpuMs = (thread: Worker): Promise<number> =>
  thread.cpuUsage?.().then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  ) ?? Promise.resolve(0);

function start(): Worker {
  const started = new Worker(new URL('./text-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  usedMs = 0;
  started.on('message', (done: ProcessedTexts) => {
    // A terminated thread can still deliver its last result. `node --watch` sends messages of its own.
    if (worker !== started || !('texts' in done)) return;
    usedMs = done.usedMs;
    current?.resolve(done.texts);
    next();
  });
  // Most likely the thread ran out of memory with this text.
  for (const event of ['error', 'exit']) {
    started.on(event, () => {
      if (worker === started) end(tooSlow());
    });
  }
  // Last, because adding a message listener refs the worker again.
  started.unref();
  return started;
}

/** The thread can't be interrupted, so it is terminated. The next task gets a new one. */
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
  invalidField('blocks', 'TOO_COMPLEX', 'blocks contains text that takes too long to process. Use less markup.');
