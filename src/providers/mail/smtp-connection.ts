import { Readable } from 'node:stream';
// The documented API for a single connection; a public export of nodemailer.
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { BulkConnection, BulkRecipient } from './port.ts';
import { refusalOf } from './refusal.ts';
import type { SmtpServer } from './smtp-url.ts';

type SmtpConnectionOptions = {
  server: SmtpServer;
  timeouts: { connectionTimeout: number; greetingTimeout: number; socketTimeout: number };
  /** The envelope sender. */
  from: (recipient: BulkRecipient) => string;
  compose: (recipient: BulkRecipient) => Promise<Buffer>;
};

/** A connection outside nodemailer's pool, so that the sender always knows which message is on it. */
export async function openSmtpConnection(options: SmtpConnectionOptions): Promise<BulkConnection> {
  const { timeouts, from, compose } = options;
  const { auth, ...server } = options.server;
  const connection = new SMTPConnection({ ...timeouts, ...server });
  await new Promise<void>((resolve, reject) => {
    connection.once('error', reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
  }).catch((error) => {
    connection.close();
    throw refusalOf(error);
  });
  if (auth) await login(connection, auth);
  let open = true;
  connection.on('error', () => {});
  connection.once('end', () => {
    open = false;
  });
  const close = () => {
    open = false;
    connection.close();
  };

  return {
    async send(recipient, permission) {
      const message = createMessageStream(permission, () => compose(recipient));
      try {
        await new Promise<void>((resolve, reject) => {
          const envelope = { from: from(recipient), to: [recipient.to] };
          connection.send(envelope, message.stream, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        if (open && message.isWithheld()) close();
        else if (open) await reset(connection).catch(close);
        throw message.failure() ?? refusalOf(error as Error, { inDoubt: message.isSent() });
      }
    },
    isOpen: () => open,
    close() {
      if (!open) return;
      open = false;
      connection.quit();
    },
  };
}

/** A stream that waits for permission, then emits the whole message at once. */
function createMessageStream(permission: Promise<boolean>, compose: () => Promise<Buffer>) {
  let isRequested = false;
  let isSent = false;
  let failure: Error | null = null;
  const stream = new Readable({
    read() {
      if (isRequested) return;
      isRequested = true;
      permission
        .then(async (isGranted) => {
          if (stream.destroyed) return;
          if (!isGranted) return void stream.destroy(new Error('The message was withheld'));
          const message = await compose();
          if (stream.destroyed) return;
          isSent = true;
          stream.push(message);
          stream.push(null);
        })
        .catch((error: Error) => {
          failure = error;
          stream.destroy(error);
        });
    },
  });
  return {
    stream,
    /** DATA was sent to the server, but no message followed. */
    isWithheld: () => isRequested && !isSent,
    isSent: () => isSent,
    /** Why the permission request failed. */
    failure: () => failure,
  };
}

async function login(connection: SMTPConnection, auth: object): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    connection.login(auth, (error) => (error ? reject(error) : resolve()));
  }).catch((error) => {
    connection.close();
    throw refusalOf(error);
  });
}

/** Resets an SMTP transaction that the server rejected midway, so that the next one starts clean. */
const reset = (connection: SMTPConnection) =>
  new Promise<void>((resolve, reject) => {
    connection.reset((error) => (error ? reject(error) : resolve()));
  });
