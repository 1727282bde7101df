/**
 * On write, rich text is sanitized and all text is split into words. Long text can take seconds, so it is processed before the
 * transaction, in a thread.
 */
import { invalidField, ServiceError } from '../errors.ts';
import { isRecord } from '../is-record.ts';
import { wordsOf } from '../text/text-words.ts';
import { ConversionFailed, createConverter } from '../threads/index.ts';
import { MAX_BLOCKS, MAX_LOCALES } from './block-schemas.ts';
import { sanitizeHtml } from './html.ts';
import type { ProcessedText } from './process-texts.ts';

/** Strings up to this total length, with up to this many markup characters, take a few milliseconds. */
const SHORT = 10_000;
const LITTLE_MARKUP = 1000;

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

const converter = createConverter<readonly string[], ProcessedText[]>(new URL('./process-texts.ts', import.meta.url), {
  cpuMs: 6000,
  busy: 'Too many long texts are being saved. Try again later.',
});

/**
 * Processes the long text in the values of these blocks, and rich text outside blocks. `owner`: the business, or the user if there is none
 * yet. Throws 422 if that takes too long, and 503 if too many texts of the same owner are waiting.
 */
export async function prepareTexts(
  owner: string,
  blocks: unknown,
  richTexts: readonly string[] = [],
): Promise<PreparedTexts> {
  const texts = [...new Set([...textsIn(blocks), ...richTexts])];
  if (isQuick(texts)) return NOTHING_PREPARED;
  try {
    return preparedTexts(texts, await converter.convert(owner, texts));
  } catch (error) {
    if (error instanceof ConversionFailed && error.code !== 'CRASHED') throw tooSlow();
    throw error;
  }
}

/** From texts that were processed elsewhere. */
export function preparedTexts(texts: readonly string[], processed: readonly ProcessedText[]): PreparedTexts {
  const [clean, words] = [new Map<string, string | null>(), new Map<string, string[]>()];
  for (const [i, text] of texts.entries()) {
    const one = processed[i]!;
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

/** Whether the texts can be processed on the main thread. */
export function isQuick(texts: readonly string[]): boolean {
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

const tooSlow = () =>
  invalidField('blocks', 'TOO_COMPLEX', 'blocks contains text that takes too long to process. Use less markup.');
