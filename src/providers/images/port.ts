/** What images are made into. Decoding what strangers send happens in a process of its own: see `index.ts`. */

export const SIZES = ['large', 'medium', 'small', 'thumbnail'] as const;
export type Size = (typeof SIZES)[number];
/** Formats besides an image's own, for browsers that know them. */
export type Format = 'webp' | 'avif';
/** From 0 to 1, from the upper left corner: what a crop must not lose. */
export type FocalPoint = { x: number; y: number };

export type ImageTask = {
  path: string;
  mimeType: string;
  /** Where the files go. */
  folder: string;
  /** Also the image in full size, and what is known of it. */
  whole: boolean;
  sizes: readonly Size[];
  /** `own`: JPEG, or PNG where there is transparency. */
  formats: readonly ('own' | Format)[];
  focalPoint: FocalPoint;
};

export type MadeFile = {
  size: 'original' | Size;
  path: string;
  /** Of its name: jpg, png, gif, webp, avif. */
  extension: string;
  width: number;
  height: number;
  bytes: number;
};

export type ImageResult = {
  /** As it is seen, after its orientation was applied. */
  width: number;
  height: number;
  isAnimated: boolean;
  blurhash: string | null;
  files: MadeFile[];
};

/** The image cannot be used. `code` is for programs, the message for people. */
export class BadImage extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** There are more images to make than can be made. */
export class ImagesBusy extends Error {}

/** The disk is full: the image may be good. */
export class NoSpace extends Error {}

/** What a child answers then, in the place of the code of a `BadImage`. */
export const NO_SPACE = 'NO_SPACE';
