import assert from 'node:assert/strict';
import test from 'node:test';
import { createRenderer } from '../../../src/domains/orders/documents/render/renderer.ts';
import { businessWith, invoiceOf, sampleOrder } from './sample-orders.ts';

const { render } = createRenderer();
const lines = [{ unitPrice: 1000, quantity: 1, taxClassId: 'standard' }];
const order = sampleOrder({ taxMode: 'EXCLUSIVE', lines, shipping: 490, discounts: [] });
const own = invoiceOf(order, businessWith({ format: 'PDF' }));
const task = (document: typeof own) => ({ document, logo: null });

test('a document is rendered under node --watch, which sends messages of its own from each thread', async () => {
  process.env.WATCH_REPORT_DEPENDENCIES = '1';
  const pdf = await createRenderer().render(task(own));
  delete process.env.WATCH_REPORT_DEPENDENCIES;
  assert.ok(pdf.length > 1000);
});

test('a document whose client disconnects before its turn is not rendered', async () => {
  const left = new AbortController();
  const current = render(task(own));
  const dropped = Array.from({ length: 50 }, () => render(task(own), left.signal));
  left.abort();
  for (const each of dropped) await assert.rejects(each, /closed the connection/);
  // The business can queue documents again.
  const [, ...rest] = await Promise.all([current, ...Array.from({ length: 3 }, () => render(task(own)))]);
  assert.equal(rest.length, 3);
  await assert.rejects(render(task(own), left.signal), /closed the connection/);
});

test('a business with many documents does not block the documents of others', async () => {
  const many = Array.from({ length: 60 }, async () => render(task(own)));
  const finished: string[] = [];
  const note = (each: Promise<unknown>, name: string) => each.then(() => finished.push(name)).catch(() => {});
  for (const each of many) void note(each, 'own');
  const others = ['second', 'third'].map((id) => render(task({ ...own, businessId: id })));
  for (const [i, each] of others.entries()) void note(each, `other ${i}`);
  const outcomes = await Promise.allSettled(many);
  assert.ok(outcomes.some(({ status }) => status === 'rejected'));
  assert.ok((await Promise.all(others)).every(({ length }) => length > 0));
  assert.deepEqual(finished.slice(0, 4), ['own', 'other 0', 'other 1', 'own']);
});
