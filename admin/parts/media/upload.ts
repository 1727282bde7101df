import type { MediaItem } from '@souk/client';
import { souk } from '../../shell/session.ts';
import { uploadInParts } from './upload-parts.ts';

/** A file of more bytes goes in parts; one request takes 25 MiB at most. */
const AT_ONCE_BYTES = 16 * 1_048_576;

/** Any number of megabytes over any line: the time limit of other calls does not fit. */
const TIMEOUT_MS = 30 * 60_000;

export async function uploadFile(
  file: File,
  onUploadProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaItem> {
  if (file.size > AT_ONCE_BYTES) return uploadInParts(file, onUploadProgress, signal);
  const form = new FormData();
  form.append('files', file, file.name);
  const { items } = await souk.media.upload(form, { onUploadProgress, signal, timeoutMs: TIMEOUT_MS });
  return items[0]!;
}
