/** Uploads a large file in parts. After a lost connection or a closed tab, uploading the same file again resumes. */
import { isSoukError, type LargeUpload, type MediaItem } from '@souk/client';
import { souk } from '../../shell/session.ts';

const POLL_MS = 500;
const PART_TIMEOUT_MS = 15 * 60_000;

/** The storage key of an unfinished upload. */
const keyOf = ({ name, size, lastModified }: File) => `admin.upload ${souk.businessId} ${name} ${size} ${lastModified}`;

export async function uploadInParts(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaItem> {
  const upload = await openUpload(file, signal);
  try {
    if (upload.status === 'UPLOADING') await sendParts(upload, file, onProgress, signal);
    const item = await checked(upload.id, signal);
    localStorage.removeItem(keyOf(file));
    return item;
  } catch (error) {
    // A canceled upload is deleted. Any other failure can be resumed, unless the file was rejected.
    if (signal.aborted) await souk.media.deleteUpload(upload.id).catch(() => {});
    if (signal.aborted || error instanceof Refused) localStorage.removeItem(keyOf(file));
    throw error;
  }
}

class Refused extends Error {}

/** The unfinished upload of this file, or a new one. */
async function openUpload(file: File, signal: AbortSignal): Promise<LargeUpload> {
  const known = localStorage.getItem(keyOf(file));
  if (known) {
    try {
      const upload = await souk.media.getUpload(known, { signal });
      if (upload.media || upload.status === 'UPLOADING' || upload.status === 'CHECKING') return upload;
    } catch (error) {
      if (!isSoukError(error, 'NOT_FOUND')) throw error;
    }
  }
  // Sent through the service, because the admin's policy doesn't allow other origins.
  const input = { fileName: file.name, size: file.size, mimeType: file.type, direct: false };
  const upload = await souk.media.createUpload(input, { signal });
  localStorage.setItem(keyOf(file), upload.id);
  return upload;
}

async function sendParts(
  { id, partSize, parts }: LargeUpload,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let sent = parts.filter(({ isStored }) => isStored).reduce((sum, { size }) => sum + size, 0);
  for (const { number, size, isStored } of parts) {
    if (isStored) continue;
    const from = (number - 1) * partSize;
    await souk.media.updatePart(id, number, file.slice(from, from + size), {
      headers: { 'content-type': 'application/octet-stream' },
      onUploadProgress: (share) => onProgress((sent + share * size) / file.size),
      timeoutMs: PART_TIMEOUT_MS,
      signal,
    });
    sent += size;
  }
  onProgress(1);
  await souk.media.completeUpload(id, { signal });
}

/** The file, after the service has processed it. */
async function checked(id: string, signal: AbortSignal): Promise<MediaItem> {
  for (;;) {
    const { media, status, problem } = await souk.media.getUpload(id, { signal });
    if (media) return media;
    if (status === 'FAILED') throw new Refused(problem);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
