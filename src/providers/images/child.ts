/**
 * The process that decodes images. It has no secrets in its environment and no connection to anything but its parent, and ends
 * itself when it uses too much memory. The parent kills it when it takes too long.
 */
import { readFile, stat, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { encode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import {
  BadImage,
  type FocalPoint,
  type ImageResult,
  type ImageTask,
  type MadeFile,
  NO_SPACE,
  SIZES,
  type Size,
} from './port.ts';

const MAX_PIXELS = 100_000_000;
const MAX_FRAMES = 1000;
const MAX_SVG_BYTES = 4_194_304;
const MAX_RSS_BYTES = 1_073_741_824;
const LEAST_FREE_BYTES = 65_536;

const EDGES: Record<Exclude<Size, 'thumbnail'>, number> = { large: 1920, medium: 1024, small: 480 };
const THUMBNAIL_EDGE = 320;

sharp.cache(false);
sharp.concurrency(1);
setPriority(0, constants.priority.PRIORITY_LOW);
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RSS_BYTES) process.exit(1);
}, 100).unref();

process.on('message', async (task: ImageTask) => {
  try {
    process.send!({ result: await make(task) });
  } catch (error) {
    const { code, message } = error instanceof BadImage ? error : await explain(error as Error, task.folder);
    process.send!({ code, message });
  }
});

async function make(task: ImageTask): Promise<ImageResult> {
  // SVG comes as bytes: with the name of a file it could draw on that file's neighbours.
  const input = task.mimeType === 'image/svg+xml' ? await readSvg(task.path) : task.path;
  const load = (animated = false) =>
    sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS, animated, sequentialRead: true });
  const { pages = 1, autoOrient, hasAlpha = false } = await load().metadata();
  if (pages > MAX_FRAMES) throw new BadImage('TOO_MANY_FRAMES', `has more than ${MAX_FRAMES} frames.`);
  const { width, height } = autoOrient;
  if (width * height * pages > MAX_PIXELS) throw tooLarge();
  const isAnimated = pages > 1;
  const files: MadeFile[] = [];
  const keep = async (image: Sharp, size: MadeFile['size'], extension: string) => {
    const path = join(task.folder, `${size}.${extension}`);
    const { width, height, pageHeight } = await image.toFile(path);
    files.push({ size, path, extension, width, height: pageHeight ?? height, bytes: (await stat(path)).size });
  };
  let blurhash: string | null = null;
  if (task.whole) {
    blurhash = await blurhashOf(load());
    const extension = extensionOf(task.mimeType, hasAlpha);
    if (extension) await keep(encoded(load(isAnimated).autoOrient(), extension), 'original', extension);
  }
  let source: Source = { width, height, open: () => load().autoOrient() };
  for (const size of SIZES) {
    if ((isAnimated && size !== 'thumbnail') || !isSmaller(size, width, height)) continue;
    if (!task.sizes.includes(size)) continue;
    // Made once, then encoded in each format, and the next smaller one is made of it.
    const { data, info } = await resized(source, size, task.focalPoint)
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    for (const format of task.formats) {
      const extension = format === 'own' ? (hasAlpha ? 'png' : 'jpg') : format;
      await keep(encoded(sharp(data, { raw }), extension), size, extension);
    }
    const isEnough = Math.min(info.width, info.height) >= THUMBNAIL_EDGE;
    if (isEnough) source = { width: info.width, height: info.height, open: () => sharp(data, { raw }) };
  }
  return { width, height, isAnimated, blurhash, files };
}

/** A size is made only where it is smaller than the image. */
const isSmaller = (size: Size, width: number, height: number) =>
  size === 'thumbnail' ? Math.min(width, height) > 1 : Math.max(width, height) > EDGES[size];

type Source = { width: number; height: number; open: () => Sharp };

function resized({ width, height, open }: Source, size: Size, { x, y }: FocalPoint): Sharp {
  if (size !== 'thumbnail') return open().resize(EDGES[size], EDGES[size], { fit: 'inside' });
  const edge = Math.min(width, height);
  const start = (whole: number, at: number) => Math.round(Math.min(Math.max(whole * at - edge / 2, 0), whole - edge));
  return open()
    .extract({ left: start(width, x), top: start(height, y), width: edge, height: edge })
    .resize(Math.min(edge, THUMBNAIL_EDGE));
}

/** In what the full size is served. Null: as it was sent. */
function extensionOf(mimeType: string, hasAlpha: boolean): string | null {
  if (mimeType === 'image/svg+xml') return null;
  const same = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' }[mimeType];
  return same ?? (hasAlpha ? 'png' : 'jpg');
}

/** No metadata is written unless it is asked for: no position, no camera, no text. */
function encoded(image: Sharp, extension: string): Sharp {
  switch (extension) {
    case 'png':
      return image.png();
    case 'gif':
      return image.gif({ effort: 3 });
    case 'webp':
      return image.webp({ quality: 80, effort: 2 });
    case 'avif':
      return image.avif({ quality: 50, effort: 0 });
    default:
      return image.flatten({ background: '#fff' }).jpeg({ quality: 84 });
  }
}

async function blurhashOf(image: Sharp): Promise<string> {
  const { data, info } = await image
    .autoOrient()
    .resize(32, 32, { fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encode(new Uint8ClampedArray(data), info.width, info.height, 4, 3);
}

async function readSvg(path: string): Promise<Buffer> {
  if ((await stat(path)).size > MAX_SVG_BYTES) throw new BadImage('TOO_LARGE', 'is an SVG of more than 4 MiB.');
  return readFile(path);
}

const tooLarge = () =>
  new BadImage('TOO_MANY_PIXELS', `has more than ${MAX_PIXELS / 1_000_000} million pixels, all frames counted.`);

/** Libraries that write images say in many ways that they could not: whether there is room is asked for. */
async function explain(error: Error, folder: string): Promise<{ code: string; message: string }> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_FREE_BYTES || /no space|quota/i.test(error.message))
    return { code: NO_SPACE, message: '' };
  if (/pixel limit|too large|exceeds/i.test(error.message)) return tooLarge();
  return new BadImage('DAMAGED', 'is damaged or not complete, and cannot be read as an image.');
}
