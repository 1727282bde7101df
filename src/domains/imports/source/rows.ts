/** One row of a file: the cells of a CSV row or the value of a JSON record, or its error. */
export type Problem = { error: string; message: string };

export type RawRow = {
  /** As in a spreadsheet or editor: the header of a CSV file is row 1. */
  number: number;
  /** The offset after the row. */
  end: number;
  cells?: string[];
  value?: unknown;
  problem?: Problem;
};

/** Where to resume: `offset` is the start of a row, `row` the number of the previous row. */
export type Position = { offset: number; row: number };

/** Larger than any record. */
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
  message: 'The row contains a NUL character or an incomplete character. Remove it.',
};
