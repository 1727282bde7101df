/** Detects the type of an uploaded file, in a thread. */
import { ConversionFailed, createConverter } from '../../../shared/threads/index.ts';
import type { detectType, FileType } from './file-types.ts';

const converter = createConverter<Uint8Array, Awaited<ReturnType<typeof detectType>>>(
  new URL('./file-types.ts', import.meta.url),
  { cpuMs: 2000, busy: 'Too many files are being uploaded. Try again later.' },
);

/** A file whose start takes too long to parse is not accepted. */
export async function detectInThread(
  businessId: string,
  head: Uint8Array,
  signal?: AbortSignal,
): Promise<FileType | { refused: string }> {
  try {
    return await converter.convert(businessId, head, signal);
  } catch (error) {
    if (error instanceof ConversionFailed && error.code !== 'CRASHED') return { refused: 'unknown' };
    throw error;
  }
}
