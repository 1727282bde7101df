import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { type ObjectHeaders, type Storage, StorageRefused, StorageUnavailable, type StoredObject } from './port.ts';
import { createS3Client, elementsOf, type S3Settings, textOf } from './s3-client.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Any S3-compatible service. An object becomes visible only when it is complete. */
export function s3Storage(settings: S3Settings): Storage {
  const client = createS3Client(settings);

  async function* list(prefix: string): AsyncGenerator<StoredObject> {
    for (let token: string | null = ''; token !== null; ) {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix,
        ...(token === '' ? {} : { 'continuation-token': token }),
      };
      const { text }: { text: string } = found(await client.call({ method: 'GET', query }));
      for (const element of elementsOf(text, 'Contents')) {
        const modified = Date.parse(textOf(element, 'LastModified') ?? '');
        yield {
          key: textOf(element, 'Key')!,
          size: Number(textOf(element, 'Size')),
          modifiedAtSeconds: Math.floor(modified / 1000),
        };
      }
      token = textOf(text, 'IsTruncated') === 'true' ? textOf(text, 'NextContinuationToken') : null;
    }
  }

  async function findSize(key: string): Promise<number | null> {
    const response = await client.call({ method: 'HEAD', key });
    return response && Number(response.headers['content-length']);
  }

  /** Copies the parts within the storage to a multipart upload. The last call turns it into the object. */
  async function concat(keys: readonly string[], to: string): Promise<void> {
    const { text } = found(await client.call({ method: 'POST', key: to, query: { uploads: '' } }));
    const uploadId = textOf(text, 'UploadId')!;
    const parts: string[] = [];
    for (const [i, from] of keys.entries()) {
      const number = String(i + 1);
      const query = { partNumber: number, uploadId };
      const copied = found(await client.call({ method: 'PUT', key: to, query, headers: copyOf(from) }));
      const etag = textOf(copied.text, 'ETag');
      if (etag === null) throw new StorageUnavailable('File storage could not copy a part.');
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
    }
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    refuseError(found(await client.call({ method: 'POST', key: to, query: { uploadId }, body })).text);
  }

  const copyOf = (key: string) => ({ 'x-amz-copy-source': `/${settings.bucket}/${key}` });

  return {
    async check() {
      const response = await client.call({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } });
      if (!response) throw new StorageRefused(`the bucket ${settings.bucket} does not exist`);
    },
    async putFile(key, path, headers) {
      const { size } = await stat(path);
      found(await client.call({ method: 'PUT', key, headers: sent(headers), body: createReadStream(path), size }));
      await rm(path, { force: true });
    },
    async putStream(key, body, size) {
      found(await client.call({ method: 'PUT', key, body, size }));
    },
    presignPut: (key, expireSeconds) => client.presign('PUT', key, {}, expireSeconds),
    concat,
    async move(from, to, headers) {
      const replace = { 'x-amz-metadata-directive': 'REPLACE' };
      const response = await client.call({
        method: 'PUT',
        key: to,
        headers: { ...sent(headers), ...copyOf(from), ...replace },
      });
      if (response) refuseError(response.text);
      // On a retry, the object has already been moved.
      if (!response && (await findSize(to)) === null) throw new Error(`${from} does not exist in file storage`);
      await client.call({ method: 'DELETE', key: from });
    },
    async open(key, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const response = await client.open({ method: 'GET', key, headers });
      if (!response) return null;
      const whole = /\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1] ?? response.headers['content-length'];
      return { body: response, size: Number(whole) };
    },
    findSize,
    list,
    async delete(keys) {
      for (const key of keys) await client.call({ method: 'DELETE', key });
    },
    async deleteTemporaryFiles(beforeSeconds) {
      // Not every service can list uploads; those that can't have their own lifecycle rules.
      const listed = await client.call({ method: 'GET', query: { uploads: '' } }).catch(() => null);
      for (const upload of elementsOf(listed?.text ?? '', 'Upload')) {
        if (Date.parse(textOf(upload, 'Initiated') ?? '') / 1000 >= beforeSeconds) continue;
        await client.call({
          method: 'DELETE',
          key: textOf(upload, 'Key')!,
          query: { uploadId: textOf(upload, 'UploadId')! },
        });
      }
    },
  };
}

/** S3 can report a failed copy after responding with 200. */
function refuseError(xml: string): void {
  if (xml.includes('<Error>'))
    throw new StorageUnavailable(`File storage could not copy a file: ${textOf(xml, 'Code')}.`);
}

const sent = ({ contentType, contentDisposition }: ObjectHeaders) => ({
  'content-type': contentType,
  'cache-control': IMMUTABLE,
  ...(contentDisposition ? { 'content-disposition': contentDisposition } : {}),
});

function found<T>(response: T | null): T {
  if (response === null) throw new StorageRefused('storage responded with 404');
  return response;
}
