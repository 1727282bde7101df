import assert from 'node:assert/strict';
import test from 'node:test';
import { ReportRefused } from '../../src/providers/mail-events/port.ts';
import { createSesReader } from '../../src/providers/mail-events/ses.ts';
import { type Report, SNS_KEY, SNS_URL, sesReport } from '../newsletters/suppressions/reports.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:bounces';
const event = { id: 'message-1', kind: 'HARD_BOUNCE' as const, email: 'ada@example.com', atSeconds: 1_700_000_000 };

let fetched: string[] = [];
const read = createSesReader(async (url) => {
  fetched.push(url);
  return SNS_KEY;
});
const readReport = ({ body, headers }: Report) => read({ body: Buffer.from(body), headers }, TOPIC, 1);
test.beforeEach(() => {
  fetched = [];
});

test('a message that SNS signed for the topic in the settings is accepted, and its certificate is fetched once', async () => {
  const [bounce] = await readReport(sesReport(event, { topic: TOPIC }));
  const [complaint] = await readReport(sesReport({ ...event, kind: 'COMPLAINT' }, { topic: TOPIC }));
  const detail = 'smtp; 550 5.1.1 user unknown';
  assert.deepEqual(bounce, { ...event, id: 'message-1/0', detail });
  assert.deepEqual(complaint, { ...event, id: 'message-1/0', kind: 'COMPLAINT', detail: 'abuse' });
  assert.deepEqual(fetched, [SNS_URL]);
});

test('a message with another topic, modified text, or a certificate from another host is rejected', async () => {
  const signed = sesReport(event, { topic: TOPIC });
  const hosts = [
    'https://sns.example.com/',
    'https://sns.eu.amazonaws.com.example.com/',
    'http://sns.eu-west-1.amazonaws.com/',
  ];
  const forged = [
    sesReport(event, { topic: `${TOPIC}-of-a-stranger` }),
    { ...signed, body: signed.body.replace('ada@', 'bob@') },
    { ...signed, body: signed.body.replace('"Notification"', '"SubscriptionConfirmation"') },
    ...hosts.map((host) => sesReport(event, { topic: TOPIC, certificate: `${host}SimpleNotificationService-1.pem` })),
    ...['?Action=a.pem', 'SimpleNotificationService-1.pem?a'].map((path) =>
      sesReport(event, { topic: TOPIC, certificate: `https://sns.eu-central-1.amazonaws.com/${path}` }),
    ),
  ];
  for (const each of forged) await assert.rejects(readReport(each), ReportRefused);
  assert.deepEqual(fetched, []);
});
