/** A real SMTP server that stores messages and responds as the test specifies. */
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { listenAgain } from './listen-again.ts';

/**
 * The server's reaction to a message. `drop` closes the connection at RCPT. `drop-after-data` and `take-and-drop` read the whole message and
 * close without a response: the first discards the message, the second stores it.
 */
export type SinkReply = 'accept' | 'drop' | 'drop-after-data' | 'take-and-drop' | { code: number; message?: string };

/** `from` is the envelope sender. */
type SinkMessage = { to: string; from: string; messageId: string; raw: Buffer };

type SinkOptions = {
  /** Called at each RCPT TO; `attempt` counts from 1 per address. */
  reply?: (address: string, attempt: number) => SinkReply;
  /** Keep the whole message, not only its recipient. */
  keep?: boolean;
  /** Called when a message has arrived completely, before the response. */
  onMessage?: (message: SinkMessage) => void | Promise<void>;
};

export async function startSink({ reply = () => 'accept', keep = true, onMessage }: SinkOptions = {}) {
  const messages: SinkMessage[] = [];
  const attempts = new Map<string, number>();
  const planned = new Map<string, SinkReply>();
  let connections = 0;
  let most = 0;

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onConnect(_session, done) {
      most = Math.max(most, ++connections);
      done();
    },
    onClose() {
      connections--;
    },
    onRcptTo({ address }, session, done) {
      const attempt = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, attempt);
      const plan = reply(address, attempt);
      planned.set(session.id, plan);
      if (plan === 'drop') return disconnect(session.id);
      if (typeof plan === 'object') return done(refusal(plan));
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const plan = planned.get(session.id);
        if (plan === 'drop-after-data') return disconnect(session.id);
        const raw = Buffer.concat(chunks);
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const messageId = /^Message-ID: (.+)\r?$/im.exec(raw.subarray(0, 4000).toString('latin1'))?.[1] ?? '';
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const message = { to, from, messageId, raw: keep ? raw : Buffer.alloc(0) };
        messages.push(message);
        await onMessage?.(message);
        if (plan === 'take-and-drop') return disconnect(session.id);
        done();
      });
    },
  });
  server.on('error', () => {});
  const port = await listenAgain(server.server, 'smtp');

  /** Closes the client's connection without notice. */
  function disconnect(id: string): void {
    for (const connection of server.connections as Set<{ session: { id: string }; _socket: { destroy(): void } }>) {
      if (connection.session.id === id) connection._socket.destroy();
    }
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    connections: () => connections,
    mostConnections: () => most,
    /** The message IDs received per address. */
    byAddress(): Map<string, string[]> {
      const found = new Map<string, string[]>();
      for (const { to, messageId } of messages) found.set(to, [...(found.get(to) ?? []), messageId]);
      return found;
    },
    parse: (message: SinkMessage): Promise<Email> => PostalMime.parse(message.raw),
    close: () =>
      new Promise<void>((resolve) => {
        if (server.server.listening) server.close(() => resolve());
        else resolve();
      }),
  };
}

const refusal = ({ code, message = 'no' }: { code: number; message?: string }) =>
  Object.assign(new Error(message), { responseCode: code });
