/** A file's thumbnail: the image, or the file type. `altOf(media)` is its alt text in a language. */
import type { Media } from '@souk/client';
import { locale } from '../../text/index.ts';

export const isImage = ({ mimeType }: Pick<Media, 'mimeType'>) => mimeType.startsWith('image/');

export const nameOf = (media: Media) => media.title || media.fileName || media.id;

export function altOf({ alt }: Media, language = locale().slice(0, 2)): string {
  if (typeof alt === 'string') return alt;
  const texts = (alt ?? {}) as Record<string, string>;
  return texts[language] ?? Object.values(texts)[0] ?? '';
}

const sizeOf = (media: Media, size: 'thumbnail' | 'small' | 'medium') => media.resolutions?.[size]?.url ?? media.url;

/** The thumbnail of a record's first image, or a placeholder. */
export const imageOf = ([first]: readonly Media[]) => (first ? sizeOf(first, 'thumbnail') : '/pages/no-image.svg');

const TICK_MS = 100;
let appeared = new Map<HTMLImageElement, string>();
let visible = new Map<HTMLImageElement, string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  for (const [image, src] of visible) image.src = src;
  visible = appeared;
  appeared = new Map();
  timer = visible.size > 0 ? setTimeout(tick, TICK_MS) : undefined;
}

function loadUnlessScrolledPast(image: HTMLImageElement | null, src: string) {
  if (!image || image.src) return;
  appeared.set(image, src);
  if (!timer) timer = setTimeout(tick, TICK_MS);
  return () => {
    appeared.delete(image);
    visible.delete(image);
  };
}

/** A thumbnail in a list. Rows that are only scrolled past don't load an image. */
export const RowImage = ({ src }: { src: string }) => (
  <img key={src} ref={(image) => loadUnlessScrolledPast(image, src)} alt="" width="40" height="40" decoding="async" />
);

/** Decorative unless it has alt text, because the name is next to it. */
export function Thumb({ media, alt = '' }: { media: Media; alt?: string }) {
  if (!isImage(media)) return <span class="thumb kind">{media.mimeType.split('/').at(-1)!.toUpperCase()}</span>;
  return <img class="thumb" src={sizeOf(media, 'thumbnail')} alt={alt} loading="lazy" decoding="async" />;
}

export const MediaImage = ({ media }: { media: Media }) => (
  <img class="image" src={sizeOf(media, 'medium')} alt={altOf(media)} width={media.width} height={media.height} />
);
