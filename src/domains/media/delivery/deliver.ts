/** Serves files to the public. A public object never changes, so it can be cached forever. */
import type { Readable } from 'node:stream';
import type { ByteRange } from '../../../providers/storage/port.ts';
import { notFound } from '../../../shared/errors.ts';
import { matchesTag } from '../../../shared/headers.ts';
import type { Query } from '../context.ts';
import { contentTypeOf, dispositionOf, typeOfExtension } from '../uploads/file-types.ts';
import { inStore } from '../uploads/store-file.ts';
import { publicKey } from './names.ts';

type DeliveryRequest = {
  key: string;
  accept: string;
  ifNoneMatch: string | undefined;
  range: string | undefined;
  ifRange: string | undefined;
  isHead: boolean;
};

export type Delivery = {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  body?: Readable | Buffer;
};

const KEY = /^[a-z0-9]{48}(-[a-z]+(?:-\d{1,3}x\d{1,3})?)?\.([a-z0-9]{2,4})$/;
const BUSINESS = /^[A-Za-z0-9_-]{1,64}$/;

/** The formats of a full-size image, which can exist in additional formats. */
const REENCODED = new Set(['jpg', 'png', 'gif', 'webp']);

/** The policy keeps an opened document from running scripts or loading anything. It does not affect images, video and audio. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  // Not the request's origin, so that caches can share the response.
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
};

export async function deliver(ctx: Query, request: DeliveryRequest): Promise<Delivery> {
  const { businessId, media } = ctx;
  const [, size, extension] = KEY.exec(request.key) ?? [];
  if (extension === undefined || !BUSINESS.test(businessId)) throw notFound('File');
  const hasFormats = size !== undefined || REENCODED.has(extension);
  const names = hasFormats ? namesFor(request.key, extension, request.accept) : [request.key];
  const vary: Record<string, string> = hasFormats ? { vary: 'Accept' } : {};
  const unchanged = names.find((name) => matchesTag(request.ifNoneMatch, etagOf(name)));
  if (unchanged) return { status: 304, headers: { ...HEADERS, ...vary, etag: etagOf(unchanged) } };
  for (const name of names) {
    const type = typeOfExtension(name.slice(name.lastIndexOf('.') + 1));
    if (!type) continue;
    const etag = etagOf(name);
    const requestedRange = request.ifRange === undefined || request.ifRange === etag ? request.range : undefined;
    const found = await openPart(media.storage, publicKey(businessId, name), requestedRange, request.isHead);
    if (!found) continue;
    const disposition = dispositionOf(type.mimeType);
    return {
      status: found.status,
      headers: {
        ...HEADERS,
        ...vary,
        ...found.headers,
        etag,
        'content-type': contentTypeOf(type.mimeType),
        ...(disposition ? { 'content-disposition': disposition } : {}),
      },
      ...(found.body ? { body: found.body } : {}),
    };
  }
  throw notFound('File');
}

/** Modern formats that the browser accepts come first. Formats that don't exist yet are skipped. */
function namesFor(key: string, extension: string, accept: string): string[] {
  const stem = key.slice(0, -extension.length);
  return [
    ...(accept.includes('image/avif') ? [`${stem}avif`] : []),
    ...(accept.includes('image/webp') ? [`${stem}webp`] : []),
    key,
  ];
}

type Opened = Pick<Delivery, 'status' | 'body'> & { headers: Record<string, string | number> };

async function openPart(
  storage: Query['media']['storage'],
  key: string,
  requestedRange: string | undefined,
  isHead: boolean,
): Promise<Opened | null> {
  if (requestedRange === undefined && !isHead) {
    const found = await inStore(storage.open(key));
    return found && { status: 200, headers: { 'content-length': found.size }, body: found.body };
  }
  const size = await inStore(storage.findSize(key));
  if (size === null) return null;
  const range = requestedRange === undefined ? null : parseRange(requestedRange, size);
  if (range === 'none') return { status: 416, headers: { 'content-range': `bytes */${size}` } };
  const length = range === null ? size : range.end - range.start + 1;
  const headers: Record<string, string | number> = { 'content-length': length };
  if (range !== null) headers['content-range'] = `bytes ${range.start}-${range.end}/${size}`;
  const status = range === null ? 200 : 206;
  if (isHead) return { status, headers };
  const found = await inStore(storage.open(key, range ?? undefined));
  return found && { status, headers, body: found.body };
}

/** Null for the whole file, even if several ranges are requested; `none` if the range is beyond the end. */
function parseRange(text: string, size: number): ByteRange | 'none' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text.trim()) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const last = Math.min(Number(to), size);
    return last === 0 ? 'none' : { start: size - last, end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return null;
  return start >= size ? 'none' : { start, end };
}

const etagOf = (name: string) => `"${name}"`;
