import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import buildSerializer, { type Schema } from 'fast-json-stringify';
import Type, { type TSchema } from 'typebox';
import { plainUnions } from '../../src/shared/records/plain-unions.ts';
import { serializerOf } from '../../src/shared/records/serializer.ts';
import { Nullable } from '../../src/shared/schemas.ts';
import { shareHarness } from '../harness.ts';

const { service } = await shareHarness();

/** The schemas of a response: one, or one per content type. */
function schemasOf(response: unknown): TSchema[] {
  const { content } = response as { content?: Record<string, { schema: TSchema }> };
  return content ? Object.values(content).map(({ schema }) => schema) : [response as TSchema];
}

test('the schemas of every route compile, which happens on the first request', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const references = service.app.getSchemas() as Record<string, Schema>;
  const [inputs, outputs] = [new Set<TSchema>(), new Set<TSchema>()];
  for (const { schema = {} } of service.app.routeList) {
    const { body, querystring, params, response = {} } = schema as Record<string, TSchema | undefined>;
    for (const part of [body, querystring, params]) if (part) inputs.add(part);
    for (const part of Object.values(response).flatMap(schemasOf)) outputs.add(part);
  }
  assert.ok(inputs.size > 100 && outputs.size > 80);
  for (const schema of inputs) ajv.compile(schema);
  for (const schema of outputs) buildSerializer(plainUnions(schema) as Schema, { schema: references });
});

const Point = Type.Object({ x: Type.Integer(), label: Nullable(Type.String()) });
const SCHEMA = Type.Object({
  name: Nullable(Type.String({ maxLength: 3 })),
  status: Type.Union([Type.Literal('OPEN'), Type.Literal('CLOSED')]),
  maybe: Nullable(Type.Union([Type.Literal('A'), Type.Literal('B')])),
  point: Nullable(Point),
  points: Nullable(Type.Array(Point)),
  text: Nullable(Type.Union([Type.String(), Type.Record(Type.String(), Type.String())])),
  any: Nullable(Type.Unknown()),
  shape: Type.Union([
    Type.Object({ type: Type.Literal('CIRCLE'), radius: Type.Integer() }),
    Type.Object({ type: Type.Literal('SQUARE'), side: Type.Integer() }),
  ]),
});

test('unions are serialized as in their schema, and undeclared fields of every branch are left out', () => {
  const serialize = serializerOf<unknown>(SCHEMA);
  const secret = { secret: 'x' };
  const shape = { type: 'SQUARE', side: 2 };
  const point = { x: 1, label: null };
  const values = [
    { name: null, status: 'OPEN', maybe: null, point: null, points: null, text: null, any: null, shape },
    {
      name: 'Ada',
      status: 'CLOSED',
      maybe: 'B',
      point,
      points: [point],
      text: { de: 'Hallo' },
      any: [{ a: 1 }],
      shape,
    },
    { name: 'Ada', status: 'OPEN', maybe: 'A', point, points: [], text: 'Hello', any: 0, shape },
  ];
  for (const value of values) {
    const given = { ...value, ...secret, shape: { ...shape, ...secret } };
    if (value.point) Object.assign(given, { point: { ...point, ...secret }, points: [{ ...point, ...secret }] });
    if (value.points?.length === 0) Object.assign(given, { points: [] });
    assert.deepEqual(JSON.parse(serialize(given)), value);
  }
});
