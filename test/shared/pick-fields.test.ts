import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { pickFields } from '../../src/shared/records/pick-fields.ts';
import { Nullable } from '../../src/shared/schemas.ts';

const Point = Type.Object({ x: Type.Integer() });
const Shape = Type.Object({
  point: Nullable(Point),
  missing: Nullable(Point),
  points: Type.Array(Point),
  named: Type.Record(Type.String(), Point),
  place: Type.Union([Type.String(), Point]),
  label: Type.Optional(Type.String()),
  any: Type.Unknown(),
});

test('only declared fields are picked, including from nullable objects, lists, records and unions', () => {
  const point = { x: 1, secret: true };
  const given = {
    point,
    missing: null,
    points: [point, point],
    named: { a: point },
    place: point,
    label: undefined,
    any: point,
    secret: true,
  };
  const picked = { x: 1 };
  assert.deepEqual(pickFields<object>(Shape, given), {
    point: picked,
    missing: null,
    points: [picked, picked],
    named: { a: picked },
    place: picked,
    any: point,
  });
  assert.deepEqual(pickFields<object>(Shape, { place: 'Berlin' }), { place: 'Berlin' });
});

test('an ambiguous union of objects cannot be used to pick fields', () => {
  const Either = Type.Object({ shape: Type.Union([Point, Type.Object({ y: Type.Integer() })]) });
  assert.throws(() => pickFields<object>(Either, { shape: { x: 1 } }), /union/);
});
