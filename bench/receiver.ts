/**
 * A minimal webhook receiver: accepts everything and records the delay of each event, by path. Replies to `report`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const delays: Record<string, number[]> = {};

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const at = Number(/"at":(\d+)/.exec(body)?.[1]);
    delays[request.url!] ??= [];
    delays[request.url!]!.push(Date.now() - at);
    response.end();
  });
}).listen(0, '127.0.0.1', function (this: { address(): unknown }) {
  process.send?.(`http://127.0.0.1:${(this.address() as AddressInfo).port}`);
});

process.on('message', () => {
  process.send?.(delays);
  for (const path of Object.keys(delays)) delete delays[path];
});
process.on('disconnect', () => process.exit(0));
