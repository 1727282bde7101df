import type { Media } from '@souk/client';

/** An image in all its sizes. The service responds with AVIF or WebP if the browser accepts them. */
export function Picture({
  media,
  alt,
  sizes,
  width = 800,
  isFirst = false,
}: {
  media: Media | undefined;
  alt: string;
  /** The display width of the image, as in the `sizes` attribute. */
  sizes: string;
  /** The width and height of the square placeholder if the size is unknown. */
  width?: number;
  /** The main image of the page, which is loaded first. */
  isFirst?: boolean;
}) {
  const srcset = media && srcsetOf(media);
  return (
    <img
      src={media?.url ?? '/pages/no-image.svg'}
      srcset={srcset}
      sizes={srcset && sizes}
      alt={alt}
      width={media?.width ?? width}
      height={media?.height ?? width}
      loading={isFirst ? undefined : 'lazy'}
      decoding={isFirst ? undefined : 'async'}
      fetchpriority={isFirst ? 'high' : undefined}
    />
  );
}

/** Leaves out cropped sizes, which have a different aspect ratio. */
export function srcsetOf({ url, width, height, resolutions }: Media): string | undefined {
  if (!width || !height) return undefined;
  const ratio = width / height;
  const others = Object.values(resolutions ?? {}).filter(
    (each) => each?.url && each.width && each.height && Math.abs(each.width / each.height - ratio) < 0.02 * ratio,
  );
  const files = new Map(others.map((each) => [each!.width!, each!.url!]));
  if (![...files.values()].includes(url)) files.set(width, url);
  if (files.size < 2) return undefined;
  return [...files]
    .sort(([a], [b]) => a - b)
    .map(([each, file]) => `${file} ${each}w`)
    .join(', ');
}
