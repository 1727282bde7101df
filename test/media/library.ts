/** A business with a user who can upload, and methods to upload. */
import type { Harness } from '../harness.ts';

export type Sent = { name: string; bytes: Buffer | string; type?: string };

export async function openLibrary(h: Harness) {
  const businessId = await h.business();
  const { token, userId } = await h.member(businessId, 'MEDIA_WRITE', 'CATALOG_WRITE', 'CONTENT_WRITE');
  const base = `/v1/businesses/${businessId}` as const;

  function upload(...files: (Sent | string)[]) {
    const form = new FormData();
    for (const file of files) {
      if (typeof file === 'string') form.append('files', file);
      else form.append('files', new Blob([file.bytes as never], { type: file.type ?? 'image/png' }), file.name);
    }
    return h.call('POST', `${base}/upload`, { token, body: form });
  }

  return {
    businessId,
    userId,
    token,
    base,
    upload,
    /** Uploads one file and returns its item. */
    async item(bytes: Buffer | string, name = 'file') {
      const { status, body } = await upload({ name, bytes });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.items[0]!;
    },
    call: <M extends string, P extends string>(
      method: M,
      path: P,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => h.call(method, `${base}${path}`, { token, body, headers }),
  };
}

export async function fetchBytes(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { headers, method });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
