/**
 * The process that decodes images. Its environment contains no secrets and it connects only to its parent. It kills
 * itself if a task uses too much memory or CPU time; the parent kills it if it hangs.
 */
import { readFile, stat, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { encode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import {
  BadImage,
  type CreatedFile,
  type FocalPoint,
  type ImageResult,
  type ImageTask,
  LARGE_EDGE,
  NO_SPACE,
  SIZES,
  type Size,
} from './port.ts';

const MAX_PIXELS = 100_000_000;
const MAX_FRAMES = 1000;
const MAX_SVG_BYTES = 4_194_304;
const MAX_RSS_BYTES = 1_073_741_824;
/** CPU time per task. Elapsed time would make a busy machine reject images that others accept. */
const MAX_CPU_SECONDS = 5;
/** Encoding an animation takes longer. GIFs have their own processes, so that they don't delay other images. */
const MAX_GIF_CPU_SECONDS = 30;
/** Filters that calculate each pixel from many others or from noise. Shadows and blurs use none of them. */
const SLOW_FILTERS =
  /<(?:[\w.-]+:)?(fe(?:Turbulence|Morphology|ConvolveMatrix|DisplacementMap|DiffuseLighting|SpecularLighting|Image|Tile))[\s/>]/i;
const LEAST_FREE_BYTES = 65_536;

const EDGES: Record<Exclude<Size, 'thumbnail'>, number> = { large: LARGE_EDGE, medium: 1024, small: 480 };
const THUMBNAIL_EDGE = 320;

sharp.cache(false);
sharp.concurrency(1);
setPriority(0, constants.priority.PRIORITY_LOW);
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
let cpuAtStart = process.cpuUsage();
let maxCpuSeconds = MAX_CPU_SECONDS;
setInterval(() => {
  const { user, system } = process.cpuUsage(cpuAtStart);
  const isOver = process.memoryUsage.rss() > MAX_RSS_BYTES || user + system > maxCpuSeconds * 1_000_000;
  // `process.exit` would wait for the threads that decode.
  if (isOver) process.kill(process.pid, 'SIGKILL');
}, 100).unref();

process.on('message', async (task: ImageTask) => {
  cpuAtStart = process.cpuUsage();
  maxCpuSeconds = task.mimeType === 'image/gif' ? MAX_GIF_CPU_SECONDS : MAX_CPU_SECONDS;
  try {
    process.send!({ result: await make(task) });
  } catch (error) {
    const { code, message } = error instanceof BadImage ? error : await explain(error as Error, task.folder);
    process.send!({ code, message });
  }
});

async function make(task: ImageTask): Promise<ImageResult> {
  // SVG is passed as bytes: with a file name it could reference neighboring files.
  const input = task.mimeType === 'image/svg+xml' ? await readSvg(task.path) : task.path;
  const load = (animated = false) =>
    sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS, animated, sequentialRead: true });
  const { pages = 1, autoOrient, hasAlpha = false } = await load().metadata();
  // Other formats with several images, such as AVIF and TIFF, are not animations: their first image is used.
  const isAnimated = pages > 1 && ['image/gif', 'image/webp'].includes(task.mimeType);
  const frames = isAnimated ? pages : 1;
  if (frames > MAX_FRAMES) throw new BadImage('TOO_MANY_FRAMES', `has more than ${MAX_FRAMES} frames.`);
  const { width, height } = autoOrient;
  if (width * height * frames > MAX_PIXELS) throw tooLarge();
  const files: CreatedFile[] = [];
  const keep = async (image: Sharp, size: CreatedFile['size'], extension: string) => {
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
  for (const format of task.fullSize ? task.formats : []) {
    if (format !== 'own' && (!isAnimated || format === 'webp'))
      await keep(encoded(load(isAnimated).autoOrient(), format), 'original', format);
  }
  let source: Source = { width, height, open: () => load().autoOrient() };
  for (const size of SIZES) {
    if (!task.sizes.includes(size) || !isSmaller(size, width, height)) continue;
    // A resized animation is WebP, which is smaller than GIF and takes a tenth of the time. It has no other formats.
    if (isAnimated && size !== 'thumbnail') {
      const edge = EDGES[size];
      const isOwn = task.formats.includes('own');
      if (isOwn) await keep(encoded(load(true).resize(edge, edge, { fit: 'inside' }), 'webp'), size, 'webp');
      continue;
    }
    // Resized once, then encoded in each format. The next smaller size is made from it.
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

/** A size is only created if it is smaller than the image. */
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

/** The format of the full size; null to keep the uploaded one. */
function extensionOf(mimeType: string, hasAlpha: boolean): string | null {
  if (mimeType === 'image/svg+xml') return null;
  const same = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' }[mimeType];
  return same ?? (hasAlpha ? 'png' : 'jpg');
}

/** Metadata such as location, camera and text is stripped by default. */
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
  if ((await stat(path)).size > MAX_SVG_BYTES)
    throw new BadImage('TOO_LARGE', 'is larger than 4 MiB, the limit for SVG files.');
  const bytes = await readFile(path);
  const [, filter] = SLOW_FILTERS.exec(bytes.toString('latin1')) ?? [];
  if (filter)
    throw new BadImage('UNSUPPORTED_FILTER', `contains the SVG filter ${filter}. Remove it, or upload a PNG.`);
  return bytes;
}

const tooLarge = () =>
  new BadImage('TOO_MANY_PIXELS', `has more than ${MAX_PIXELS / 1_000_000} million pixels in total.`);

/** Image libraries report a full disk in many ways, so check the free space instead. */
async function explain(error: Error, folder: string): Promise<{ code: string; message: string }> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_FREE_BYTES || /no space|quota/i.test(error.message))
    return { code: NO_SPACE, message: '' };
  if (/pixel limit|too large|exceeds/i.test(error.message)) return tooLarge();
  return new BadImage('DAMAGED', 'is damaged or incomplete.');
}
