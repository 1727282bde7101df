import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Query } from '../context.ts';
import { publicKey, sizeName } from '../delivery/names.ts';
import { findMedia, type MediaRow } from '../queries.ts';

/** Formats that PDF files can contain. */
const PRINTABLE = ['png', 'jpg', 'jpeg'];
const SIZES = ['small', 'medium', 'large', 'original'] as const;

/** The smallest size of an image as PNG or JPEG, for documents. Null if there is none. */
export async function readImage(ctx: Pick<Query, 'db' | 'businessId' | 'media'>, id: string): Promise<Buffer | null> {
  const row = await findMedia(ctx.db, ctx.businessId, id);
  const name = row && nameOf(row);
  const object = name ? await ctx.media.storage.open(publicKey(ctx.businessId, name)) : null;
  if (!object) return null;
  return object.body instanceof Readable ? buffer(object.body) : object.body;
}

function nameOf({ kind, stem, details: { files, focalPoint } }: MediaRow): string | null {
  if (kind !== 'IMAGE') return null;
  for (const size of SIZES) {
    const file = files.find((each) => each.size === size && PRINTABLE.includes(each.extension));
    if (file) return sizeName(stem, size, focalPoint, file.extension);
  }
  return null;
}
