/** Whatever a mail server responds, the process keeps running and reports the outcome correctly. */
import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test from 'node:test';
import fc from 'fast-check';
import { type BulkMail, MailRefused } from '../../src/providers/mail/port.ts';
import { smtpMailer } from '../../src/providers/mail/smtp.ts';
import { casesOf } from '../cases.ts';

const STEPS = ['connect', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'end'] as const;
type Step = (typeof STEPS)[number];
type Replies = Partial<Record<Step, string | Buffer | 'close'>>;

const GOOD: Record<Step, string> = {
  connect: '220 hello\r\n',
  EHLO: '250 hello\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go on\r\n',
  end: '250 taken\r\n',
};

/** A mail server with the given responses, and valid ones otherwise. */
async function startMailServer(replies: Replies) {
  let taken = 0;
  /** Returns true if it sent the valid response. */
  function reply(socket: Socket, step: Step): boolean {
    const given = replies[step];
    if (given === 'close') socket.destroy();
    else socket.write(given ?? GOOD[step]);
    return given === undefined;
  }
  const server = createServer((socket) => {
    let buffered = '';
    let isMessage = false;
    socket.on('error', () => {});
    reply(socket, 'connect');
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      for (;;) {
        const end = isMessage ? buffered.indexOf('\r\n.\r\n') + 3 : buffered.indexOf('\r\n');
        if (end < (isMessage ? 3 : 0)) return;
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (isMessage) {
          isMessage = false;
          if ((replies.end ?? GOOD.end).toString('latin1').startsWith('2')) taken++;
          reply(socket, 'end');
        } else {
          const step = STEPS.find((name) => line.toUpperCase().startsWith(name));
          if (!step) socket.write('250 ok\r\n');
          else if (reply(socket, step) && step === 'DATA') isMessage = true;
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, taken: () => taken, close: () => server.close() };
}

/** Long enough for a busy machine: the cases of a test wait for it together. */
const TIMEOUTS = 'connectionTimeout=3000&greetingTimeout=3000&socketTimeout=3000';

const MAIL: BulkMail = { subject: ['Hi'], text: ['t'], html: ['h'], headers: {} };
const RECIPIENT = { to: 'ada@example.com', messageId: '1@shop.example', values: {} };

/** `refused` is null if the message was sent. `taken`: the number of messages the server accepted. */
async function send(kind: 'one' | 'bulk', given: Replies) {
  const server = await startMailServer(given);
  const mailer = smtpMailer(`smtp://127.0.0.1:${server.port}?ignoreTLS=true&${TIMEOUTS}`, 'Souk <news@shop.example>');
  let refused: MailRefused | null = null;
  try {
    if (kind === 'one') await mailer.send({ to: 'ada@example.com', subject: 'Hi', text: 't', html: 'h' });
    else {
      const connection = await mailer.bulk([MAIL]).connect();
      await connection.send(RECIPIENT, Promise.resolve(true)).finally(() => connection.close());
    }
  } catch (error) {
    assert.ok(error instanceof MailRefused, String(error));
    refused = error;
  } finally {
    await mailer.close();
    server.close();
  }
  return { refused, taken: server.taken() };
}

const KINDS = ['one', 'bulk'] as const;
const HUGE = 'x'.repeat(3_000_000);

test('a positive response, in one line or several, means that the message was accepted', async () => {
  for (const kind of KINDS) {
    assert.deepEqual(await send(kind, {}), { refused: null, taken: 1 });
    const lines = '250-one\r\n250-two\r\n250 three\r\n';
    assert.deepEqual(await send(kind, { end: lines }), { refused: null, taken: 1 });
  }
});

test('only a 5xx about the recipient or the message is permanent, and only one about the address is a bounce', async () => {
  const cases: [Replies, boolean, boolean][] = [
    [{ RCPT: '550 5.1.1 unknown\r\n' }, true, true],
    [{ RCPT: '554 5.7.1 blocked\r\n' }, true, false],
    [{ RCPT: '450 later\r\n' }, false, false],
    [{ RCPT: '600 what\r\n' }, false, false],
    [{ RCPT: '999 5.1.1 what\r\n' }, false, false],
    [{ end: '554 spam\r\n' }, true, false],
    [{ end: '601 what\r\n' }, false, false],
    [{ MAIL: '550 5.1.1 not you\r\n' }, false, false],
    [{ connect: '554 5.1.1 go away\r\n' }, false, false],
  ];
  for (const kind of KINDS) {
    for (const [given, permanent, hardBounce] of cases) {
      const { refused } = await send(kind, given);
      assert.deepEqual([refused?.permanent, refused?.hardBounce], [permanent, hardBounce], JSON.stringify(given));
      assert.equal(refused?.inDoubt, false, JSON.stringify(given));
    }
  }
});

test('only a server that takes no message at all counts as down, never one that drops the connection over a message', async () => {
  for (const given of ['554 go away\r\n', '421 busy\r\n'])
    assert.equal((await send('one', { connect: given })).refused?.serverDown, true, given);
  for (const step of ['EHLO', 'RCPT', 'DATA', 'end'] as const)
    assert.equal((await send('one', { [step]: 'close' })).refused?.serverDown, false, step);
});

test('only a complete message without a readable response has an unknown outcome', async () => {
  const invalidReplies = ['close', '', '250-and so on\r\n', 'x', HUGE, `250-${HUGE}\r\n`, `250-${HUGE}`] as const;
  const cases = STEPS.flatMap((step) => invalidReplies.map((given) => ({ step, given })));
  await Promise.all(
    cases.map(async ({ step, given }) => {
      const { refused } = await send('bulk', { [step]: given });
      const name = `${step}: ${given.slice(0, 20)}`;
      assert.deepEqual([refused?.permanent, refused?.hardBounce], [false, false], name);
      assert.equal(refused?.inDoubt, step === 'end', name);
    }),
  );
});

test('no invalid response crashes the process, bounces an address or passes for an accepted message', async () => {
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(' ', '-', ''), fc.string({ maxLength: 50 }))
      .map(([code, mark, text]) => Buffer.from(`${code}${mark}${text}\r\n`)),
  );
  const cases = fc.sample(fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom(...STEPS), garbage), casesOf(25, 100));
  await Promise.all(
    cases.map(async ([kind, step, given]) => {
      const { refused, taken } = await send(kind, { [step]: Buffer.concat([given, Buffer.from('\r\n')]) });
      const name = `${step}: ${JSON.stringify(given.toString('latin1'))}`;
      const isAbout = (code: RegExp) => code.test(given.toString('latin1'));
      // A server that responds to DATA with 2xx or 3xx gets the message and is responsible for it.
      if (refused === null) assert.ok(taken > 0 || (step === 'DATA' && isAbout(/^[23]/)), name);
      if (refused?.permanent) assert.ok(isAbout(/(^|\n)5\d\d/), name);
      if (refused?.hardBounce) assert.ok(step === 'RCPT' && isAbout(/(^|\n)55[013]/), name);
    }),
  );
});
