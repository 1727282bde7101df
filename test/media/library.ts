/** A business with somebody who may upload, and how they do it. */
import type { Answer, Harness, Json } from '../harness.ts';

export type Sent = { name: string; bytes: Buffer | string; type?: string };

export async function openLibrary(h: Harness) {
  const businessId = await h.business();
  const { token, userId } = await h.member(businessId, 'MEDIA_WRITE', 'CATALOG_WRITE', 'CONTENT_WRITE');
  const base = `/v1/businesses/${businessId}`;

  async function upload(...files: (Sent | string)[]): Promise<Answer> {
    const form = new FormData();
    for (const file of files) {
      if (typeof file === 'string') form.append('files', file);
      else form.append('files', new Blob([file.bytes as never], { type: file.type ?? 'image/png' }), file.name);
    }
    const answer = await fetch(`${h.url}${base}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  return {
    businessId,
    userId,
    token,
    base,
    upload,
    /** The item of a file that is taken. */
    async item(bytes: Buffer | string, name = 'file'): Promise<Json> {
      const { status, body } = await upload({ name, bytes });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.items[0];
    },
    call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      h.call(method, `${base}${path}`, { token, body, headers }),
  };
}

export async function fetchBytes(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await fetch(url, { headers, method });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}
