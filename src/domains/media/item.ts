/** A row as an item. Pure. */
import { SIZES } from '../../providers/images/port.ts';
import type { Media } from '../../shared/schemas.ts';
import { sizeName } from './names.ts';
import type { MediaRow, SizedFile } from './queries.ts';
import type { MediaItem } from './schemas.ts';
import { typeOfExtension } from './types.ts';

/** What records that use the file carry a copy of. `base` is the address that the names of files are appended to. */
export function toMedia(row: MediaRow, base: string): Media {
  const { businessId, id, stem, details } = row;
  const { files, focalPoint } = details;
  const addressOf = (name: string) => `${base}/${businessId}/${name}`;
  const shown = (file: SizedFile) => ({
    url: addressOf(sizeName(stem, file.size, focalPoint, file.extension)),
    width: file.width,
    height: file.height,
    size: file.bytes,
  });
  const remade = files.find(({ size }) => size === 'original');
  const url = addressOf(`${stem}.${remade?.extension ?? row.extension}`);
  const original = remade ? shown(remade) : { url, ...dimensions(row), size: row.size };
  /** An image that is smaller than a size is that size. */
  const sizes = SIZES.map((size) => {
    const file = files.find((each) => each.size === size);
    return [size, file ? shown(file) : original] as const;
  });
  return {
    id,
    url,
    mimeType: (remade && typeOfExtension(remade.extension)?.mimeType) ?? row.mimeType,
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
