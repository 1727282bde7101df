/** Prepares media items and blocks for a response: only declared fields, and absolute URLs of files. */
import Type from 'typebox';
import { Media } from '../schemas.ts';
import { pickFields } from './pick-fields.ts';

type Item = Partial<Media>;
type File = { url?: string };

export function showMedia<T extends Item>(item: T, publicUrl: string): T {
  const { resolutions, ...shown } = pickFields(Media, item);
  const complete = <F extends File>(file: F): F => {
    const { url } = file;
    return url !== undefined && isOwn(url) ? { ...file, url: publicUrl + url } : file;
  };
  if (!resolutions) return complete(shown) as T;
  const files = Object.entries(resolutions).map(([size, file]) => [size, complete(file)]);
  return { ...complete(shown), resolutions: Object.fromEntries(files) } as T;
}

/** URLs of files that the service itself serves are stored as paths. */
const isOwn = (url: string) => url.startsWith('/') && url[1] !== '/';

type Block = { type?: unknown; value?: unknown };
const Place = Type.Object({ latitude: Type.Number(), longitude: Type.Number() });

/** The fields of a block's value depend on the block's type, which the schema of the list can't express. */
export const showBlocks = <B extends Block>(blocks: readonly B[], publicUrl: string): B[] =>
  blocks.map((block) => {
    const { type, value } = block;
    if (typeof value !== 'object' || value === null) return block;
    if (type === 'GEO_LOCATION') return { ...block, value: pickFields(Place, value) };
    if (type !== 'MEDIA') return block;
    return {
      ...block,
      value: Array.isArray(value) ? value.map((item) => showMedia(item, publicUrl)) : showMedia(value, publicUrl),
    };
  });
