/** An SMTP server that only accepts reports about the service's own email. It relays nothing and sends no replies. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { addressKey } from '../../shared/text/address-key.ts';

const MAX_BYTES = 512 * 1024;
const MAX_CONNECTIONS = 50;
const MAX_CONNECTIONS_OF_ADDRESS = 5;
const IDLE_MS = 30_000;
/** A client that sends a byte now and then is never idle, so a few such clients could occupy all connections. */
const MAX_MS = 120_000;

type Options = {
  host: string;
  port: number;
  /** Whether an address accepts reports. */
  accepts: (address: string) => boolean;
  /** If it throws, the sending server is asked to try again later. */
  receive: (address: string, message: Buffer) => Promise<void>;
  maxMs?: number;
};

export async function startBounceServer({ host, port, accepts, receive, maxMs = MAX_MS }: Options) {
  const open = new Map<string, number>();
  const server = new SMTPServer({
    banner: 'Souk',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAX_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: 1000,
    onConnect({ remoteAddress }, done) {
      const key = addressKey(remoteAddress);
      const count = (open.get(key) ?? 0) + 1;
      open.set(key, count);
      done(count > MAX_CONNECTIONS_OF_ADDRESS ? refusal(421, 'Too many connections') : null);
    },
    onClose({ remoteAddress }) {
      const key = addressKey(remoteAddress);
      const count = (open.get(key) ?? 1) - 1;
      if (count > 0) open.set(key, count);
      else open.delete(key);
    },
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length > 0) return done(refusal(452, 'One recipient at a time'));
      done(accepts(address) ? null : refusal(550, '5.7.1 Relaying denied'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_BYTES) chunks.push(chunk);
      });
      stream.on('end', () => {
        if (bytes > MAX_BYTES) return done(refusal(552, '5.3.4 Message too large'));
        receive(recipientOf(session), Buffer.concat(chunks)).then(
          () => done(),
          () => done(refusal(451, '4.3.0 Try again later')),
        );
      });
    },
  });
  // A disconnected client is not an error.
  server.on('error', () => {});
  server.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), maxMs);
    socket.once('close', () => clearTimeout(timer));
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

export type BounceServer = Awaited<ReturnType<typeof startBounceServer>>;

const recipientOf = ({ envelope }: SMTPServerSession) => envelope.rcptTo[0]?.address ?? '';

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
