/** Uploads a file with its progress, which `fetch` cannot tell: the same call as `souk.media.upload`, by XMLHttpRequest. */
import { type MediaItem, SoukError, type Uploaded } from '@souk/client';
import { souk } from '../../shell/session.ts';

type Progress = (share: number) => void;

export async function uploadFile(file: File, onProgress: Progress, signal: AbortSignal): Promise<MediaItem> {
  const token = await souk.session.accessToken();
  try {
    return await send(file, token, onProgress, signal);
  } catch (error) {
    const isOld = error instanceof SoukError && error.status === 401;
    if (!isOld || !(await souk.session.renew(token))) throw error;
    return send(file, await souk.session.accessToken(), onProgress, signal);
  }
}

function send(file: File, token: string | null, onProgress: Progress, signal: AbortSignal): Promise<MediaItem> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/businesses/${souk.businessId}/upload`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const item = (request.response as Uploaded | null)?.items?.[0];
      if (request.status === 200 && item) resolve(item);
      else reject(new SoukError(request.status, request.response ?? {}));
    };
    request.onerror = () => reject(new SoukError(0, { error: 'NETWORK', message: 'The service cannot be reached.' }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.append('files', file, file.name);
    request.send(form);
  });
}
