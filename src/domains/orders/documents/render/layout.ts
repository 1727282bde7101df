import type { DocumentRow } from '../queries.ts';
import type { formatsFor } from './format.ts';
import type { Paper } from './paper.ts';
import type { Texts } from './texts.ts';

/** Shared by all parts of a page. */
export type Layout = {
  paper: Paper;
  document: DocumentRow;
  texts: Texts;
  format: ReturnType<typeof formatsFor>;
  width: number;
  /** Only the footer is drawn below this y. */
  bottom: number;
  /** Starts a new page and returns its first y. */
  newPage(): number;
};
