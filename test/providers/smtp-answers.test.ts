/** Whatever a mail server answers: the process goes on, and what is told of the message is true. */
import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test, { after } from 'node:test';
import fc from 'fast-check';
import { type BulkMail, MailRefused } from '../../src/providers/mail/port.ts';
import { smtpMailer } from '../../src/providers/mail/smtp.ts';

const STEPS = ['connect', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'end'] as const;
type Step = (typeof STEPS)[number];
type Answers = Partial<Record<Step, string | Buffer | 'close'>>;

const GOOD: Record<Step, string> = {
  connect: '220 hello\r\n',
  EHLO: '250 hello\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go on\r\n',
  end: '250 taken\r\n',
};

let answers: Answers = {};
let taken = 0;
const server = createServer((socket) => {
  let buffered = '';
  let isMessage = false;
  socket.on('error', () => {});
  answer(socket, 'connect');
  socket.on('data', (chunk) => {
    buffered += chunk.toString('latin1');
    for (;;) {
      const end = isMessage ? buffered.indexOf('\r\n.\r\n') + 3 : buffered.indexOf('\r\n');
      if (end < (isMessage ? 3 : 0)) return;
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      if (isMessage) {
        isMessage = false;
        if ((answers.end ?? GOOD.end).toString('latin1').startsWith('2')) taken++;
        answer(socket, 'end');
      } else {
        const step = STEPS.find((name) => line.toUpperCase().startsWith(name));
        if (!step) socket.write('250 ok\r\n');
        else if (answer(socket, step) && step === 'DATA') isMessage = true;
      }
    }
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

/** True: as it should be. */
function answer(socket: Socket, step: Step): boolean {
  const given = answers[step];
  if (given === 'close') socket.destroy();
  else socket.write(given ?? GOOD[step]);
  return given === undefined;
}

const { port } = server.address() as AddressInfo;
const TIMEOUTS = 'connectionTimeout=500&greetingTimeout=500&socketTimeout=500';
const SERVER = `smtp://127.0.0.1:${port}?ignoreTLS=true&${TIMEOUTS}`;

const MAIL: BulkMail = { subject: ['Hi'], text: ['t'], html: ['h'], headers: {} };
const RECIPIENT = { to: 'ada@example.com', messageId: '1@shop.example', values: {} };

/** Null: the message was taken. */
async function send(kind: 'one' | 'bulk', given: Answers): Promise<MailRefused | null> {
  answers = given;
  taken = 0;
  const mailer = smtpMailer(SERVER, 'Souk <news@shop.example>');
  try {
    if (kind === 'one') await mailer.send({ to: 'ada@example.com', subject: 'Hi', text: 't', html: 'h' });
    else {
      const connection = await mailer.bulk(MAIL).connect();
      await connection.send(RECIPIENT, Promise.resolve(true)).finally(() => connection.close());
    }
    return null;
  } catch (error) {
    assert.ok(error instanceof MailRefused, String(error));
    return error;
  } finally {
    await mailer.close();
  }
}

const KINDS = ['one', 'bulk'] as const;
const HUGE = 'x'.repeat(3_000_000);

test('a good answer is a message that was taken, in one line or several', async () => {
  for (const kind of KINDS) {
    assert.equal(await send(kind, {}), null);
    assert.equal(await send(kind, { end: '250-one\r\n250-two\r\n250 three\r\n' }), null);
    assert.equal(taken, 1);
  }
});

test('only a 5xx about the recipient or the message is final, and only one about the address a bounce', async () => {
  const cases: [Answers, boolean, boolean][] = [
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
      const refused = await send(kind, given);
      assert.deepEqual([refused?.permanent, refused?.hardBounce], [permanent, hardBounce], JSON.stringify(given));
      assert.equal(refused?.inDoubt, false, JSON.stringify(given));
    }
  }
});

test('what is in doubt is only a whole message that got no answer, or none that can be read', async () => {
  const noAnswers = ['close', '', '250-and so on\r\n', 'x', HUGE, `250-${HUGE}\r\n`, `250-${HUGE}`] as const;
  for (const step of STEPS) {
    for (const given of noAnswers) {
      const refused = await send('bulk', { [step]: given });
      const name = `${step}: ${given.slice(0, 20)}`;
      assert.deepEqual([refused?.permanent, refused?.hardBounce], [false, false], name);
      assert.equal(refused?.inDoubt, step === 'end', name);
    }
  }
});

test('no garbage ends the process, makes an address bounce or passes for a message that was taken', async () => {
  const garbage = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(`${text}\r\n`)),
    fc
      .tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(' ', '-', ''), fc.string({ maxLength: 50 }))
      .map(([code, mark, text]) => Buffer.from(`${code}${mark}${text}\r\n`)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...KINDS), fc.constantFrom(...STEPS), garbage, async (kind, step, given) => {
      const refused = await send(kind, { [step]: Buffer.concat([given, Buffer.from('\r\n')]) });
      const isAbout = (code: RegExp) => code.test(given.toString('latin1'));
      // A server that says 2xx or 3xx to DATA is given the message, and answers for it.
      if (refused === null) assert.ok(taken > 0 || (step === 'DATA' && isAbout(/^[23]/)));
      if (refused?.permanent) assert.ok(isAbout(/(^|\n)5\d\d/));
      if (refused?.hardBounce) assert.ok(step === 'RCPT' && isAbout(/(^|\n)55[013]/));
    }),
    { numRuns: 150 },
  );
});
