/** Files that people and attackers send. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture with something to see in it, so that no two are alike. */
export const photo = (width: number, height: number, seed = 0) =>
  sharp(Buffer.from(Array.from({ length: 12 }, (_, i) => (i * 53 + seed * 31) % 256)), {
    raw: { width: 2, height: 2, channels: 3 },
  })
    .resize(width, height, { fit: 'fill' })
    .jpeg()
    .toBuffer();

/** As a phone takes it: lying on its side, with the place where it was taken. */
export async function phonePhoto(): Promise<Buffer> {
  const position = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 24/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 21/1 3/1',
  };
  return sharp(await photo(400, 300))
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'Phone', Artist: 'Ada' }, IFD3: position })
    .jpeg()
    .toBuffer();
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** 50,000 by 50,000 pixels in some 40 KB. */
export function bomb(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(50_000, 0);
  header.writeUInt32BE(50_000, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc(6251 * 6500), { level: 9 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A PNG with a script in its text, and one behind its end. */
export async function pngWithScript(): Promise<Buffer> {
  const png = await sharp(await photo(40, 30))
    .png()
    .toBuffer();
  const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
  return Buffer.concat([png.subarray(0, 33), text, png.subarray(33), Buffer.from('<script>alert(2)</script>')]);
}

/** An animation with something to see in each frame. */
export async function animation(frames: number): Promise<Buffer> {
  const pictures = await Promise.all(Array.from({ length: frames }, (_, i) => photo(20, 20, i)));
  return sharp(pictures, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** So many frames of one pixel. */
export function gif(frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex');
  const frame = Buffer.from('21f904000a0000002c00000000010001000002024401 00'.replaceAll(' ', ''), 'hex');
  return Buffer.concat([
    head,
    Buffer.from('21ff0b4e45545343415045322e300301000000', 'hex'),
    ...Array(frames).fill(frame),
    Buffer.from([0x3b]),
  ]);
}

export const svg = (inside = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30" fill="#369"/>${inside}</svg>`,
  );
