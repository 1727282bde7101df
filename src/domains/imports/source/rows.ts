/** One row of a file: of a CSV file its cells, of a JSON file its value, or what is wrong with it. */
export type Problem = { error: string; message: string };

export type RawRow = {
  /** As a spreadsheet or an editor counts: the first row of a CSV file is its header. */
  number: number;
  /** The offset behind it. */
  end: number;
  cells?: string[];
  value?: unknown;
  problem?: Problem;
};

/** Where to go on: `offset` is that of a row's beginning, `row` the number of the one before. */
export type Position = { offset: number; row: number };

/** More than any record of ours has. */
export const MAX_ROW_BYTES = 4 * 1_048_576;

export const tooLong: Problem = {
  error: 'TOO_LONG',
  message: 'The row is longer than 4 MiB. Shorten its longest cell.',
};
export const notUtf8: Problem = {
  error: 'INVALID_ENCODING',
  message: 'The row has bytes that are not UTF-8. Save the file as UTF-8.',
};
export const badCharacter: Problem = {
  error: 'INVALID_FORMAT',
  message: 'The row contains a NUL character or half of a character. Remove it.',
};
