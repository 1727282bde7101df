/** Calls operations by name and checks every response against the OpenAPI document and the expected fields. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ApiResponse, CallOptions, Harness, Json } from '../harness.ts';
import { readDocument } from './document.ts';
import { checkFields, ERROR, type FieldType } from './fields.ts';

export type Call = CallOptions & { params?: Record<string, string>; query?: Record<string, string> };

/** `table`: the operations under test with the expected fields of a 200 response. */
export async function openContract<Name extends string>(h: Harness, table: Record<Name, FieldType>) {
  const document = await readDocument(h);
  const succeeded = new Set<string>();

  async function call(name: Name, { params = {}, query, ...options }: Call = {}): Promise<ApiResponse> {
    const operation = document.find(name);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, place: string) => {
      assert.ok(params[place], `${name} needs ${place}`);
      return encodeURIComponent(params[place]);
    });
    const response = await h.call(operation.method, query ? `${path}?${new URLSearchParams(query)}` : path, options);
    document.check(operation, response);
    return response;
  }

  /** Returns the body of a 200 response after checking its fields. */
  async function ok(name: Name, options: Call = {}, expected: FieldType = table[name]): Promise<Json> {
    const response = await call(name, options);
    assert.equal(response.status, 200, `${name}: ${JSON.stringify(response.body)}`);
    checkFields(response.body, expected, name);
    succeeded.add(name);
    return response.body;
  }

  /** Returns the details of an error with this status as `field CODE`. */
  async function fails(name: Name, status: number, options: Call = {}): Promise<string[]> {
    const { body, ...response } = await call(name, options);
    assert.equal(response.status, status, `${name}: ${JSON.stringify(body)}`);
    checkFields(body, ERROR, name);
    assert.equal(body.error, ERRORS[status], name);
    return body.details.map((detail: Json) => `${detail.field} ${detail.error}`);
  }

  /** Call this last in the file. */
  const testAllCalled = () =>
    test('every operation in the table has succeeded at least once', () => {
      assert.deepEqual(Object.keys(table).sort(), [...succeeded].sort());
    });

  return { call, ok, fails, testAllCalled };
}

/** Error codes by status. */
const ERRORS: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  422: 'VALIDATION_FAILED',
};
