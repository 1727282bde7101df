import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { createUnsubscribeTokens } from '../../src/domains/newsletters/subscriptions/unsubscribe-token.ts';
import { createSandbox } from '../../src/providers/payments/sandbox.ts';
import { createCursors } from '../../src/shared/paging.ts';
import { createSigner } from '../../src/shared/security/signing.ts';

const KEY = Buffer.alloc(32, 7);
const LENGTHS = [9, 16, 32];

test('a signature is the HMAC of the text, truncated to its length, in base64url', () => {
  for (const bytes of LENGTHS) {
    const expected = createHmac('sha256', KEY).update('é').digest().subarray(0, bytes).toString('base64url');
    assert.equal(createSigner(KEY, bytes).sign('é'), expected);
    assert.equal(createSigner(KEY, bytes).verify('é', expected), true);
  }
});

test('a signature is invalid for different text, another key and any other length', () => {
  for (const bytes of LENGTHS) {
    const { sign, verify } = createSigner(KEY, bytes);
    const signature = sign('text');
    assert.equal(verify('other', signature), false);
    assert.equal(createSigner(Buffer.alloc(32, 8), bytes).verify('text', signature), false);
    for (const wrong of [
      '',
      signature.slice(0, -1),
      `${signature}A`,
      `${signature}=`,
      `${signature} `,
      createSigner(KEY, 8).sign('text'),
    ])
      assert.equal(verify('text', wrong), false, wrong);
    assert.equal(verify('text', 'é'.repeat(signature.length)), false);
  }
});

test('a signature has one valid encoding: other encodings of the same bytes are rejected', () => {
  const { sign, verify } = createSigner(KEY);
  const signature = sign('text');
  const bytes = Buffer.from(signature, 'base64url');
  const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => signature.slice(0, -1) + last)
    .filter((text) => text !== signature && Buffer.from(text, 'base64url').equals(bytes));
  assert.equal(others.length, 3);
  for (const other of [...others, bytes.toString('base64')]) assert.equal(verify('text', other), false, other);
});

test('links and cursors issued earlier stay valid', () => {
  const unsubscribe = 'biz_1.sub_1.VgqkUtALfwFRvDVbxHGYzg';
  const pay = 'Yml6XzEgcGF5XzE.HoOEtZeopOL1QS2KUet1gAeb46asWUPkVEvc_biDZKk';
  const cursor = 'zBbE9gl0JAyYWzE3NjMxNjQ4MDAsInByb2RfMSJd';
  assert.deepEqual(createUnsubscribeTokens(KEY).read(unsubscribe), { businessId: 'biz_1', subscriptionId: 'sub_1' });
  assert.deepEqual(createSandbox(KEY, () => '').readToken(pay), { businessId: 'biz_1', id: 'pay_1' });
  assert.deepEqual(createCursors(KEY).decode('list:newest', cursor), [1763164800, 'prod_1']);
});
