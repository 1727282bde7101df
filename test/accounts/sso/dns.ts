/** A name server on loopback that serves TXT records. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after } from 'node:test';

export async function startDns() {
  const records = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answer(query, records), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  after(() => socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, records };
}

const HEADER_BYTES = 12;

/** Repeats the question, and adds the record if there is one. */
function answer(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  const text = records.get(labels.join('.').toLowerCase());
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(text === undefined ? 0 : 1, 6);
  if (text === undefined) return Buffer.concat([header, question]);
  // A string of a record has at most 255 bytes.
  const strings = text.match(/.{1,255}/g)!.flatMap((each) => [Buffer.from([each.length]), Buffer.from(each, 'latin1')]);
  const data = Buffer.concat(strings);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(16, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(1, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, question, record, data]);
}
