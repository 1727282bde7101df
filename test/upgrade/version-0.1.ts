/** A populated database of version 0.1, and the responses that members and guests got from it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Pool } from '../../src/db/pool.ts';
import type { caller } from '../call.ts';

const fixture = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
type Recorded = { who: 'admin' | 'guest'; path: string; status: number; body: unknown };
const { secretKey, apiKey, answers }: { secretKey: string; apiKey: string; answers: Recorded[] } = JSON.parse(
  fixture('souk-0.1.json'),
);

export const BUSINESS = '/v1/businesses/biz_demo';
export const SETTINGS = { SECRET_KEY: secretKey, PUBLIC_URL: 'http://127.0.0.1:3999' };

const MIGRATIONS_TABLE = `create table migrations (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`;

export async function loadVersion01(pool: Pool): Promise<void> {
  await pool.text(MIGRATIONS_TABLE);
  await pool.text('create schema jobs');
  await pool.text(fixture('souk-0.1.sql'));
}

export async function checkResponses(call: ReturnType<typeof caller>): Promise<void> {
  const login = await call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
  for (const { who, path, status, body } of answers) {
    const headers: Record<string, string> =
      who === 'admin' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${login.body.accessToken}` };
    const response = await call('GET', `${BUSINESS}${path}` as string, { headers });
    const [actual, expected] = [response.body, body].map((each) => (status < 400 ? each : withoutMessage(each)));
    assert.deepEqual(
      { status: response.status, body: withFieldsOf(expected, actual) },
      { status, body: expected },
      `${who} ${path}`,
    );
  }
}

/** Later versions can add fields. */
function withFieldsOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) return actual.map((each, i) => withFieldsOf(expected[i], each));
  if (!isObject(expected) || !isObject(actual)) return actual;
  const known = Object.entries(actual).filter(([name]) => name in expected);
  return Object.fromEntries(known.map(([name, value]) => [name, withFieldsOf(expected[name], value)]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Error messages can be reworded between versions. */
const withoutMessage = (body: unknown) => ({ ...(body as object), message: undefined });
