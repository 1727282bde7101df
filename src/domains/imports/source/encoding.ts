/** Detects the encoding of a text file. Pure. */
import { isAscii, isUtf8 } from 'node:buffer';

export const ENCODINGS = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1251'] as const),
  ...(['macintosh', 'shift_jis', 'gb18030'] as const),
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Size of the sample of text outside ASCII. */
const SAMPLE_BYTES = 65_536;
/** Enough characters to decide. */
const MAX_COUNT = 10_000;

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
export const hasUtf8Mark = (head: Buffer) => head.subarray(0, 3).equals(UTF8_MARK);

/** The numbers of valid and invalid UTF-8 characters outside ASCII, and a sample of the text that contains them. */
export type TextStats = { valid: number; invalid: number; sample: Buffer };

/** Counts the characters of a stream of chunks. A chunk can end within a character. */
export function textCheck() {
  let rest: Buffer = Buffer.alloc(0);
  let [valid, invalid, sampled] = [0, 0, 0];
  const sample: Buffer[] = [];
  const count = (bytes: Buffer) => {
    if (bytes.length === 0 || isAscii(bytes) || valid + invalid > MAX_COUNT) return;
    if (sampled < SAMPLE_BYTES) {
      const part = Buffer.from(bytes.subarray(0, SAMPLE_BYTES - sampled));
      sample.push(part);
      sampled += part.length;
    }
    const isValid = isUtf8(bytes);
    for (const character of bytes.toString()) {
      if (character < '\u0080') continue;
      if (!isValid && character === '\ufffd') invalid++;
      else valid++;
      if (valid + invalid > MAX_COUNT) return;
    }
  };
  return {
    add(chunk: Buffer): void {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = endOfLastCharacter(bytes);
      count(bytes.subarray(0, end));
      rest = bytes.subarray(end);
    },
    stats(): TextStats {
      count(rest);
      rest = Buffer.alloc(0);
      return { valid, invalid, sample: Buffer.concat(sample) };
    },
  };
}

/** The end of the last complete character. */
export function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/**
 * Detects the encoding from the first bytes and the characters of the whole file. A byte order mark takes precedence. A
 * UTF-8 file with a few wrong bytes stays UTF-8: its broken rows are reported as errors.
 */
export function detectEncoding(head: Buffer, { valid, invalid, sample }: TextStats): Encoding {
  if (hasUtf8Mark(head)) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let i = 0; i < Math.min(head.length, 200); i++) if (head[i] === 0) zeros[i % 2]!++;
  if (zeros[1]! > 40 && zeros[0]! < 5) return 'utf-16le';
  if (zeros[0]! > 40 && zeros[1]! < 5) return 'utf-16be';
  return valid >= invalid ? 'utf-8' : detectLegacy(sample);
}

function detectLegacy(sample: Buffer): Encoding {
  if (isShiftJis(sample)) return 'shift_jis';
  if (isGb18030(sample)) return 'gb18030';
  return isMacintosh(sample) ? 'macintosh' : 'windows-1252';
}

/** Null if the bytes are not valid in this encoding. The last character may be cut off. */
function decoded(sample: Buffer, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}

/** Japanese text has many kana. */
function isShiftJis(sample: Buffer): boolean {
  const other = [...(decoded(sample, 'shift_jis') ?? '')].filter((character) => character > '\u007f');
  const kana = other.filter((character) => character >= '\u3040' && character <= '\u30ff');
  return kana.length >= 2 && kana.length >= other.length / 5;
}

/**
 * A Chinese character takes two bytes above 0xA0, so runs of such bytes have an even length. Unlike accented letters,
 * they rarely occur inside a Latin word.
 */
function isGb18030(sample: Buffer): boolean {
  if (decoded(sample, 'gb18030') === null) return false;
  const runs = sample.toString('latin1').match(/[A-Za-z]?[\u0080-\u00ff]+[A-Za-z]?/g) ?? [];
  const even = runs.filter((run) => /^(?:[\u00a1-\u00fe]{2})+$/.test(run));
  return runs.length > 0 && even.length >= runs.length * 0.7;
}

/**
 * Some bytes are letters in MacRoman and punctuation in Windows-1252, and vice versa. Between letters, a letter is more likely.
 */
function isMacintosh(sample: Buffer): boolean {
  const text = sample.toString('latin1');
  // Without the quotes and dashes of Windows (0x91 to 0x97), the euro sign and the ellipsis.
  const mac = text.match(/(?<=[A-Za-z])[\u0086-\u0090\u0098-\u009f]|[\u0086-\u0090\u0098-\u009f](?=[a-z])/g) ?? [];
  const windows = text.match(/(?<=[A-Za-z])[\u00c0-\u00ff]|[\u00c0-\u00ff](?=[a-z])/g) ?? [];
  return mac.length > windows.length;
}
