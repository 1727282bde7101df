import type { MediaItem } from '@souk/client';
import { souk } from '../../shell/session.ts';
import { uploadInParts } from './upload-parts.ts';

/** Larger files are uploaded in parts, because a request is limited to 25 MiB. */
const MAX_SINGLE_BYTES = 16 * 1_048_576;

/** Uploads can take a long time on slow connections, so they don't use the usual timeout. */
const TIMEOUT_MS = 30 * 60_000;

export async function uploadFile(
  file: File,
  onUploadProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaItem> {
  if (file.size > MAX_SINGLE_BYTES) return uploadInParts(file, onUploadProgress, signal);
  const form = new FormData();
  form.append('files', file, file.name);
  const { items } = await souk.media.upload(form, { onUploadProgress, signal, timeoutMs: TIMEOUT_MS });
  return items[0]!;
}
