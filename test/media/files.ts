/** Files that users and attackers upload. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** An image with unique content per seed. */
export const photo = (width: number, height: number, seed = 0) =>
  sharp(Buffer.from(Array.from({ length: 12 }, (_, i) => (i * 53 + seed * 31) % 256)), {
    raw: { width: 2, height: 2, channels: 3 },
  })
    .resize(width, height, { fit: 'fill' })
    .jpeg()
    .toBuffer();

/** A typical phone photo: rotated, with GPS metadata. */
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

/** 50,000 by 50,000 pixels in about 40 KB. */
export function bomb(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(50_000, 0);
  header.writeUInt32BE(50_000, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc(6251 * 6500), { level: 9 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A PNG with a script in its text chunk, and another after its end. */
export async function pngWithScript(): Promise<Buffer> {
  const png = await sharp(await photo(40, 30))
    .png()
    .toBuffer();
  const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
  return Buffer.concat([png.subarray(0, 33), text, png.subarray(33), Buffer.from('<script>alert(2)</script>')]);
}

/** An animation with content in each frame. */
export async function animation(frames: number, width = 20, height = 20): Promise<Buffer> {
  const images = await Promise.all(Array.from({ length: frames }, (_, i) => photo(width, height, i)));
  return sharp(images, { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A GIF with this many one-pixel frames. */
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

/** A small SVG that takes minutes to render: each level draws the one below ten times, through a mask. */
export function slowSvg(): Buffer {
  const levels = Array.from({ length: 5 }, (_, i) => {
    const uses = `<use href="#l${i}" mask="url(#m)"/>`.repeat(10);
    return `<g id="l${i + 1}">${uses}</g>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000"><mask id="m"><rect width="3000" height="3000" fill="#fff"/></mask><rect id="l0" width="3000" height="3000"/>${levels.join('')}</svg>`,
  );
}

/** An AVIF file with several images, like a burst from a camera. Each must be an AVIF with one image. */
export function avifCollection(...images: Buffer[]): Buffer {
  const number = (value: number, bytes: number) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const box = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([number(body.length + 8, 4), Buffer.from(type), body]);
  };
  const boxesIn = (bytes: Buffer) => {
    const boxes: { type: string; body: Buffer; whole: Buffer }[] = [];
    for (let at = 0; at < bytes.length; ) {
      const whole = bytes.subarray(at, at + bytes.readUInt32BE(at));
      boxes.push({ type: whole.toString('latin1', 4, 8), body: whole.subarray(8), whole });
      at += whole.length;
    }
    return boxes;
  };
  const find = (bytes: Buffer, type: string) => boxesIn(bytes).find((each) => each.type === type)!;
  const ids = images.map((_, i) => i + 1);
  const ftyp = find(images[0]!, 'ftyp').whole;
  const hdlr = find(find(images[0]!, 'meta').body.subarray(4), 'hdlr').whole;
  const data = images.map((image) => find(image, 'mdat').body);
  const properties = images.map((image) => find(find(find(image, 'meta').body.subarray(4), 'iprp').body, 'ipco').body);
  let before = 0;
  const associations = properties.map((each, i) => {
    const indexes = boxesIn(each).map((_, n) => 0x80 | (before + n + 1));
    before += indexes.length;
    return Buffer.concat([number(ids[i]!, 2), number(indexes.length, 1), Buffer.from(indexes)]);
  });
  const meta = (firstOffset: number) => {
    let offset = firstOffset;
    const places = data.map((each, i) => {
      const place = [number(ids[i]!, 2), number(0, 2), number(1, 2), number(offset, 4), number(each.length, 4)];
      offset += each.length;
      return Buffer.concat(place);
    });
    const infos = ids.map((id) =>
      box('infe', Buffer.from([2, 0, 0, 0]), number(id, 2), number(0, 2), Buffer.from('av01\0')),
    );
    return box(
      'meta',
      Buffer.alloc(4),
      hdlr,
      box('pitm', Buffer.alloc(4), number(1, 2)),
      box('iloc', Buffer.from([0, 0, 0, 0, 0x44, 0]), number(ids.length, 2), ...places),
      box('iinf', Buffer.alloc(4), number(ids.length, 2), ...infos),
      box('iprp', box('ipco', ...properties), box('ipma', Buffer.alloc(4), number(ids.length, 4), ...associations)),
    );
  };
  const start = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(start), box('mdat', ...data)]);
}
