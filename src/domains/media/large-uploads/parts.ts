import type { Steps } from '../context.ts';
import { joinedKey, partKey } from '../delivery/names.ts';
import type { UploadRow } from './queries.ts';

/** S3 requires at least 5 MiB. 5 GiB is 320 parts. */
export const PART_BYTES = 16_777_216;

export const countParts = ({ size, partSize }: UploadRow) => Math.ceil(size / partSize);

export const numbersOf = (upload: UploadRow) => Array.from({ length: countParts(upload) }, (_, i) => i + 1);

export const partSize = (upload: UploadRow, number: number) =>
  number < countParts(upload) ? upload.partSize : upload.size - (countParts(upload) - 1) * upload.partSize;

/** The objects of an upload: its parts and the joined file. */
export const keysOfUpload = (upload: UploadRow): string[] => [
  ...numbersOf(upload).map((number) => partKey(upload.businessId, upload.id, number)),
  joinedKey(upload.businessId, upload.id),
];

export const deleteParts = ({ media }: Pick<Steps, 'media'>, upload: UploadRow): Promise<void> =>
  media.storage.delete(keysOfUpload(upload));
