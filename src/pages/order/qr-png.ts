/** A QR code as PNG, for email clients, which don't display SVG. Pure. */
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Large enough for screens with two pixels per point. */
const PIXELS_PER_MODULE = 8;

export function qrPng(text: string): Buffer {
  const { data: modules } = encode(text, { ecc: 'M', border: 4 });
  const side = modules.length * PIXELS_PER_MODULE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit per pixel, grayscale: 1 is white.
  header[8] = 1;
  const rows = modules.map((row) =>
    // One module is one byte, because it is 8 pixels wide. The first byte says that the row has no filter.
    Buffer.from([0, ...row.map((isDark) => (isDark ? 0x00 : 0xff))]),
  );
  const pixels = Buffer.concat(rows.flatMap((row) => Array<Buffer>(PIXELS_PER_MODULE).fill(row)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
