/** The interface of image processing. Untrusted images are decoded in a separate process; see `index.ts`. */

export const SIZES = ['large', 'medium', 'small', 'thumbnail'] as const;
export type Size = (typeof SIZES)[number];
/** The longest edge of the size `large`. */
export const LARGE_EDGE = 1920;
/** Additional formats for browsers that support them. */
type Format = 'webp' | 'avif';
/** The point that cropping keeps, from 0 to 1, relative to the upper left corner. */
export type FocalPoint = { x: number; y: number };

export type ImageTask = {
  path: string;
  mimeType: string;
  /** The output folder. */
  folder: string;
  /** Whether to also create the full-size image and return its metadata. */
  whole: boolean;
  /** Whether to also create the full size in the additional formats. */
  fullSize?: boolean;
  sizes: readonly Size[];
  /** `own`: JPEG, PNG for images with transparency, or WebP for animations. */
  formats: readonly ('own' | Format)[];
  focalPoint: FocalPoint;
};

export type CreatedFile = {
  size: 'original' | Size;
  path: string;
  /** The file name extension: jpg, png, gif, webp or avif. */
  extension: string;
  width: number;
  height: number;
  bytes: number;
};

export type ImageResult = {
  /** After applying the orientation. */
  width: number;
  height: number;
  isAnimated: boolean;
  blurhash: string | null;
  files: CreatedFile[];
};

/** The image can't be used. `code` is machine-readable, the message is for users. */
export class BadImage extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Too many images are waiting. */
export class ImagesBusy extends Error {}

/** The disk is full; the image may be fine. */
export class NoSpace extends Error {}

/** Returned by a child process instead of a `BadImage` code. */
export const NO_SPACE = 'NO_SPACE';
