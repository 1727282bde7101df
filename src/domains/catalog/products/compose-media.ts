import { AS_IS, type BlockValue, checkBlocks, type Sanitize } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { Media, MediaInput } from '../../../shared/schemas.ts';
import { type MediaById, mediaIdsIn, useMedia, useMediaInBlocks } from '../../media/index.ts';
import type { Product, ProductChanges } from './schemas.ts';

type BlockContext = { sanitize: Sanitize; media: MediaById; isTrusted?: boolean };

export function cleanBlocks(
  blocks: unknown,
  current: Product | null,
  { sanitize, media, isTrusted = false }: BlockContext,
  errors: FieldError[],
): BlockValue[] {
  const checked = checkBlocks(blocks, 'blocks', { sanitize });
  errors.push(...checked.errors);
  const missing = isTrusted ? [] : mediaReferences(checked).filter(({ id }) => !media.has(id));
  // References that the product already has are accepted: clients send back the blocks they read.
  const existing = new Set(missing.length === 0 ? [] : referencesOf(current?.blocks ?? []));
  for (const { id, field } of missing) {
    if (!existing.has(id))
      errors.push({ field, error: 'NOT_FOUND', message: `${field} does not match a file in the media library.` });
  }
  return useMediaInBlocks(checked.blocks, media);
}

const mediaReferences = ({ references }: ReturnType<typeof checkBlocks>) =>
  references.filter(({ targetType }) => targetType === 'MEDIA');

const referencesOf = (blocks: unknown) =>
  mediaReferences(checkBlocks(blocks, 'blocks', { sanitize: AS_IS })).map(({ id }) => id);

/** IDs of all files referenced by a change or a product. */
export function mediaIdsOf({
  gallery = [],
  variants = [],
  blocks = [],
}: Pick<ProductChanges, 'gallery' | 'variants' | 'blocks'>): (string | undefined)[] {
  const galleries = [gallery, ...variants.map((variant) => variant.gallery ?? [])];
  const checked = checkBlocks(blocks, 'blocks', { sanitize: AS_IS });
  const references = mediaReferences(checked).map(({ id }) => id);
  return [...galleries.flat().map(({ id }) => id), ...mediaIdsIn(checked.blocks), ...references];
}

export type ComposeGallery = (items: readonly MediaInput[], field: string) => Media[];

/** Files that the product already has are kept, whatever their type. */
export function galleryComposer(
  { media, publicUrl }: { media: MediaById; publicUrl: string },
  current: Product | null,
  errors: FieldError[],
): ComposeGallery {
  const kept = new Set([current?.gallery, ...(current?.variants ?? []).map(({ gallery }) => gallery)].flatMap(idsIn));
  return (items, field) =>
    items.map((item, i) => {
      const composed = completeMedia(useMedia(item, media, `${field}[${i}]`, errors), publicUrl);
      if (!VISUAL.test(composed.mimeType) && !kept.has(composed.id)) errors.push(notVisual(`${field}[${i}]`));
      return composed;
    });
}

const idsIn = (gallery: readonly Media[] = []) => gallery.map(({ id }) => id);

/** The type of a file at another URL can be unknown. */
const VISUAL = /^(?:image|video)\/|^application\/octet-stream$/;

const notVisual = (field: string): FieldError => ({
  field,
  error: 'UNSUPPORTED_TYPE',
  message: `${field} must be an image or a video.`,
});

const MIME_TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  png: 'image/png',
  svg: 'image/svg+xml',
  webm: 'video/webm',
  webp: 'image/webp',
};

/** URLs of this service are stored as paths, so they survive a domain change. */
export function completeMedia(item: Media | MediaInput, publicUrl: string): Media {
  if ('resolutions' in item) return item;
  const { id, url: given = '', mimeType } = item;
  const isOwn = given.startsWith(`${publicUrl}/`) && given[publicUrl.length + 1] !== '/';
  const url = isOwn ? given.slice(publicUrl.length) : given;
  const ending = /\.([a-z0-9]{1,10})$/i.exec(url.split(/[?#]/, 1)[0]!)?.[1]?.toLowerCase() ?? '';
  return { id: id ?? newId('media'), url, mimeType: mimeType ?? MIME_TYPES[ending] ?? 'application/octet-stream' };
}
