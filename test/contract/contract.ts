/** Calls operations by the names of the interface and holds every answer against the document and the field tables. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Answer, CallOptions, Harness, Json } from '../harness.ts';
import { readDocument } from './document.ts';
import { checkShape, ERROR, type Shape } from './shapes.ts';

export type Call = CallOptions & { params?: Record<string, string>; query?: Record<string, string> };

/** `table`: the operations that the file is about, each with what a 200 must look like. */
export async function openContract<Name extends string>(h: Harness, table: Record<Name, Shape>) {
  const document = await readDocument(h);
  const succeeded = new Set<string>();

  async function call(name: Name, { params = {}, query, ...options }: Call = {}): Promise<Answer> {
    const operation = document.find(name);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, place: string) => {
      assert.ok(params[place], `${name} needs ${place}`);
      return encodeURIComponent(params[place]);
    });
    const answer = await h.call(operation.method, query ? `${path}?${new URLSearchParams(query)}` : path, options);
    document.check(operation, answer);
    return answer;
  }

  /** The body of a 200, which must have the shape that the table gives, or the named one of several. */
  async function ok(name: Name, options: Call = {}, shape: Shape = table[name]): Promise<Json> {
    const answer = await call(name, options);
    assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`);
    checkShape(answer.body, shape, name);
    succeeded.add(name);
    return answer.body;
  }

  /** The codes of the details (`field CODE`) of an error with this status. */
  async function fails(name: Name, status: number, options: Call = {}): Promise<string[]> {
    const { body, ...answer } = await call(name, options);
    assert.equal(answer.status, status, `${name}: ${JSON.stringify(body)}`);
    checkShape(body, ERROR, name);
    assert.equal(body.error, ERRORS[status], name);
    return body.details.map((detail: Json) => `${detail.field} ${detail.error}`);
  }

  /** Call it last in the file. */
  const testThatAllWereCalled = () =>
    test('every operation of the interface has been called', () => {
      assert.deepEqual(Object.keys(table).sort(), [...succeeded].sort());
    });

  return { call, ok, fails, testThatAllWereCalled };
}

/** Section 7. */
const ERRORS: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  422: 'VALIDATION_FAILED',
};
