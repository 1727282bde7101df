import type { MediaItem } from '@souk/client';
import { souk } from '../../shell/session.ts';

/** Any number of megabytes over any line: the time limit of other calls does not fit. */
const TIMEOUT_MS = 30 * 60_000;

export async function uploadFile(
  file: File,
  onUploadProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaItem> {
  const form = new FormData();
  form.append('files', file, file.name);
  const { items } = await souk.media.upload(form, { onUploadProgress, signal, timeoutMs: TIMEOUT_MS });
  return items[0]!;
}
