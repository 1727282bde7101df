/**
 * A minimal mail server that accepts everything and counts messages with their times. Replies to `count` and clears
 * on `reset`.
 */
import { type AddressInfo, createServer } from 'node:net';

let count = 0;
let firstAt = 0;
let lastAt = 0;

const server = createServer((socket) => {
  let inData = false;
  let rest = '';
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.write('220 sink\r\n');
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    rest += chunk;
    for (;;) {
      const end = inData ? rest.indexOf('\r\n.\r\n') : rest.indexOf('\r\n');
      if (end < 0) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + (inData ? 5 : 2));
      if (inData) {
        inData = false;
        lastAt = performance.now();
        if (count++ === 0) firstAt = lastAt;
        socket.write('250 taken\r\n');
      } else if (/^DATA/i.test(line)) {
        inData = true;
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    }
  });
});

process.on('message', (question) => {
  if (question === 'reset') count = firstAt = lastAt = 0;
  process.send?.({ count, perSecond: count > 1 ? ((count - 1) * 1000) / (lastAt - firstAt) : 0 });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`));
