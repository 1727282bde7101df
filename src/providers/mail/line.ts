import { Readable } from 'node:stream';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Compose } from './mime.ts';
import type { BulkLine } from './port.ts';
import { refusalOf } from './refusal.ts';

export type LineOptions = {
  url: string;
  timeouts: { connectionTimeout: number; greetingTimeout: number; socketTimeout: number };
  /** The envelope's sender. */
  from: string;
  compose: Compose;
};

/** Opens a connection of its own, so that whoever sends knows at every moment which message is on it. */
export async function smtpLine({ url, timeouts, from, compose }: LineOptions): Promise<BulkLine> {
  const { auth, ...server } = parseConnectionUrl(url);
  const connection = new SMTPConnection({ ...server, ...timeouts } as object);
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
    async send(recipient, mayLeave) {
      const message = gated(mayLeave, () => compose(recipient));
      try {
        await new Promise<void>((resolve, reject) => {
          connection.send({ from, to: [recipient.to] }, message.stream, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        if (open && message.isHeld()) close();
        else if (open) await reset(connection).catch(close);
        throw message.failure() ?? refusalOf(error as Error, { inDoubt: message.hasLeft() });
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

/** A stream that waits for leave, then is the whole message at once. */
function gated(mayLeave: Promise<boolean>, make: () => Buffer) {
  let asked = false;
  let left = false;
  let failed: Error | null = null;
  const stream = new Readable({
    read() {
      if (asked) return;
      asked = true;
      mayLeave.then(
        (may) => {
          if (stream.destroyed) return;
          if (!may) return void stream.destroy(new Error('The message was held back.'));
          const message = make();
          left = true;
          stream.push(message);
          stream.push(null);
        },
        (error: Error) => {
          failed = error;
          stream.destroy(error);
        },
      );
    },
  });
  return {
    stream,
    /** The server was told that data would come, and it did not. */
    isHeld: () => asked && !left,
    hasLeft: () => left,
    failure: () => failed,
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

/** Ends a transaction that the server has refused half-way, so that the next one begins afresh. */
const reset = (connection: SMTPConnection) =>
  new Promise<void>((resolve, reject) => {
    connection.reset((error) => (error ? reject(error) : resolve()));
  });
