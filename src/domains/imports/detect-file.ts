/** Detects the format of an uploaded file, in the thread that converts imports. */
import { invalidField } from '../../shared/errors.ts';
import { ConversionFailed } from '../../shared/threads/index.ts';
import { inStore } from '../media/index.ts';
import type { Steps } from './context.ts';
import type { DetectedFile, DetectFile } from './conversion/convert.ts';
import { MAX_IGNORED_NAME } from './conversion/detect.ts';
import { serveBytes } from './conversion/file-bytes.ts';
import type { Conversion, CsvFormat, JsonFormat } from './formats/format.ts';
import { findFormat } from './formats/index.ts';
import type { OpenBytes } from './source/source.ts';

export type Detected = Pick<DetectedFile, 'options' | 'notes'> & {
  format: CsvFormat | JsonFormat;
  /** Null unless the file is CSV. */
  columns: ReadonlyMap<string, number> | null;
};

export async function detectFile(
  { businessId, imports, signal }: Steps,
  open: OpenBytes,
  file: DetectFile,
): Promise<Detected> {
  const bytes = serveBytes(open);
  const thread = imports.converter.hold(businessId, bytes.serve);
  try {
    const found = (await inStore(thread.convert({ detect: file }, signal))) as DetectedFile;
    const { options, notes, columns } = found;
    const format = findFormat(file.type, found.format, options.shape === 'csv');
    return { format, options, notes, columns: columns && new Map(columns) };
  } catch (error) {
    if (!(error instanceof ConversionFailed) || error.code === 'CRASHED') throw error;
    throw invalidField('file', 'TOO_COMPLEX', 'The file takes too long to read. Check that it is the right file.');
  } finally {
    thread.end();
    await bytes.close();
  }
}

/** The columns that the format ignores. Ignored fields of JSON records are found while the import runs. */
export function findIgnoredColumns({ format, columns, options }: Detected, to: Conversion): string[] {
  if (!columns || !('reads' in format)) return [];
  const names = options.header ?? [];
  return [...columns]
    .filter(([column]) => !format.reads(column, to))
    .map(([column, at]) => (names[at] ?? column).slice(0, MAX_IGNORED_NAME));
}
