/** Converts rows to items. Pure. */
import { SIZES } from '../../providers/images/port.ts';
import type { Media } from '../../shared/schemas.ts';
import { sizeName } from './delivery/names.ts';
import type { MediaRow, SizedFile } from './queries.ts';
import type { MediaItem } from './schemas.ts';
import { typeOfExtension } from './uploads/file-types.ts';

/** The copy of an item that records contain. `base` is the base URL of files. */
export function toMedia(row: MediaRow, base: string): Media {
  const { businessId, id, stem, details } = row;
  const { files, focalPoint } = details;
  const urlOf = (name: string) => `${base}/${businessId}/${name}`;
  const shown = (file: SizedFile) => ({
    url: urlOf(sizeName(stem, file.size, focalPoint, file.extension)),
    width: file.width,
    height: file.height,
    size: file.bytes,
  });
  const reencoded = files.find(({ size }) => size === 'original');
  const url = urlOf(`${stem}.${reencoded?.extension ?? row.extension}`);
  const original = reencoded ? shown(reencoded) : { url, ...dimensions(row), size: row.size };
  // An image smaller than a size is served at its original size.
  const sizes = SIZES.map((size) => {
    const file = files.find((each) => each.size === size);
    return [size, file ? shown(file) : original] as const;
  });
  return {
    id,
    url,
    mimeType: (reencoded && typeOfExtension(reencoded.extension)?.mimeType) ?? row.mimeType,
    fileName: row.fileName,
    size: row.size,
    ...dimensions(row),
    hash: row.hash,
    ...(details.blurhash ? { blurhash: details.blurhash } : {}),
    title: details.title,
    alt: details.alt,
    ...(row.kind === 'IMAGE' ? { focalPoint } : {}),
    resolutions: row.kind === 'IMAGE' ? { original, ...Object.fromEntries(sizes) } : { original },
  };
}

export const toItem = (row: MediaRow, base: string): MediaItem => ({
  ...toMedia(row, base),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const dimensions = ({ details: { width, height } }: MediaRow) =>
  width === undefined || height === undefined ? {} : { width, height };
