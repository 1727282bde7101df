/** A file in small: its picture, or its kind. `altOf(media)` is its alternative text in a language. */
import type { Media } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { locale } from '../../text/index.ts';

export const isPicture = ({ mimeType }: Pick<Media, 'mimeType'>) => mimeType.startsWith('image/');

export const nameOf = (media: Media) => media.title || media.fileName || media.id;

export function altOf({ alt }: Media, language = locale().slice(0, 2)): string {
  if (typeof alt === 'string') return alt;
  const texts = (alt ?? {}) as Record<string, string>;
  return texts[language] ?? Object.values(texts)[0] ?? '';
}

const sizeOf = (media: Media, size: 'thumbnail' | 'small' | 'medium') => media.resolutions?.[size]?.url ?? media.url;

const SEEN_AFTER_MS = 100;

/** Of a record's first picture; without one, our own sign. */
export const pictureOf = ([first]: readonly Media[]) => (first ? sizeOf(first, 'thumbnail') : '/pages/icon.svg');

/** It in a row of a list. Of rows that are only scrolled past, none is loaded. */
export function RowPicture({ gallery }: { gallery: readonly Media[] }) {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(true), SEEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <img src={isSeen ? pictureOf(gallery) : undefined} alt="" width="40" height="40" decoding="async" />;
}

/** It is decoration unless it says what it shows: the name stands beside it. */
export function Thumb({ media, alt = '' }: { media: Media; alt?: string }) {
  if (!isPicture(media)) return <span class="thumb kind">{media.mimeType.split('/').at(-1)!.toUpperCase()}</span>;
  return <img class="thumb" src={sizeOf(media, 'thumbnail')} alt={alt} loading="lazy" decoding="async" />;
}

export const Picture = ({ media }: { media: Media }) => (
  <img class="picture" src={sizeOf(media, 'medium')} alt={altOf(media)} width={media.width} height={media.height} />
);
