/** Reads an uploaded file: its encoding, its format and its incoming payments. Pure. */
import { isUtf8 } from 'node:buffer';
import { parseBankCsv } from './bank-csv.ts';
import { parseCamt } from './camt.ts';
import { type KeyedEntry, type ParsedStatement, unreadable, withKeys } from './entry.ts';

export type ReadStatement = Omit<ParsedStatement, 'entries'> & { entries: KeyedEntry[] };

/** In a thread. */
export const convert = (bytes: Uint8Array): ReadStatement => {
  const { format, iban, skipped, ...rest } = parseStatement(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  );
  return { format, iban, skipped, entries: withKeys({ format, iban, skipped, ...rest }) };
};

export const MAX_STATEMENT_BYTES = 2 * 1_048_576;

export function parseStatement(bytes: Buffer): ParsedStatement {
  if (bytes.length === 0) throw unreadable('The file is empty.');
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    throw unreadable('The file is a ZIP archive. Extract it and upload each statement separately.');
  }
  const text = decode(bytes);
  if (text.includes('\0')) throw unreadable('The file is not a text file. Upload CAMT.053 (XML) or CSV.');
  return text.trimStart().startsWith('<') ? parseCamt(text) : parseBankCsv(text);
}

/** XML can name its encoding; CSV files of banks are UTF-8 or Windows-1252. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}
