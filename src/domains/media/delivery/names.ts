/** Names of stored objects, and of files in URLs. Pure. */
import { type FocalPoint, SIZES, type Size } from '../../../providers/images/port.ts';
import { firstCharacters } from '../../../shared/text/text.ts';
import type { MediaRow } from '../queries.ts';

export const stemOf = (hash: string, id: string) => `${hash.slice(0, 40)}${id.slice(-8)}`;

export const publicKey = (businessId: string, name: string) => `public/${businessId}/${name}`;
/** The uploaded file with all its metadata, which can contain personal data. */
export const privateKey = (businessId: string, stem: string, extension: string) =>
  `private/${businessId}/${stem}.${extension}`;
export const partKey = (businessId: string, uploadId: string, number: number) =>
  `uploads/${businessId}/${uploadId}/${String(number).padStart(5, '0')}`;
export const joinedKey = (businessId: string, uploadId: string) => `uploads/${businessId}/${uploadId}/whole`;

/** A new crop gets a new name, because a public object never changes. */
export function sizeName(stem: string, size: 'original' | Size, { x, y }: FocalPoint, extension: string): string {
  if (size === 'original') return `${stem}.${extension}`;
  const crop = size === 'thumbnail' ? `-${Math.round(x * 100)}x${Math.round(y * 100)}` : '';
  return `${stem}-${size}${crop}.${extension}`;
}

/** All objects that an item can have. */
export function keysOf({ businessId, stem, extension, details: { files, focalPoint } }: MediaRow): string[] {
  const extensions = new Set([extension, ...files.map((file) => file.extension), 'webp', 'avif']);
  const names = [...extensions].flatMap((each) => [
    sizeName(stem, 'original', focalPoint, each),
    ...SIZES.map((size) => sizeName(stem, size, focalPoint, each)),
  ]);
  return [privateKey(businessId, stem, extension), ...names.map((name) => publicKey(businessId, name))];
}

/** `public/biz_1/<stem>-large.jpg` belongs to business biz_1 and this stem. */
export function ownerOf(key: string): { businessId: string; stem: string } | null {
  const [, businessId, stem] = /^(?:public|private)\/([^/]+)\/([a-z0-9]+)[.-][^/]*$/.exec(key) ?? [];
  return businessId === undefined ? null : { businessId, stem: stem! };
}

const MAX_NAME = 200;

/**
 * Returns a file name that is safe to display: without folders, control characters and marks that change the text
 * direction. It is never part of a storage path.
 */
export function cleanFileName(given: string | undefined): string {
  const name = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .split(/[\\/]/)
    .at(-1)!
    .trim()
    .replace(/^\.+/, '');
  if (name === '') return 'file';
  if (name.length <= MAX_NAME) return name;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return `${firstCharacters(name, MAX_NAME - ending.length)}${ending}`;
}

/** The uploaded file, the source of all other objects. */
export const mainKeyOf = ({ businessId, stem, extension, kind }: MediaRow) =>
  kind === 'IMAGE' && extension !== 'svg'
    ? privateKey(businessId, stem, extension)
    : publicKey(businessId, `${stem}.${extension}`);
