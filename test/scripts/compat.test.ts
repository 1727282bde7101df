import assert from 'node:assert/strict';
import test from 'node:test';
import { checkBreakages } from '../../scripts/compat/check.ts';
import { findBreakages } from '../../scripts/compat/compare.ts';
import { type Document, type Operation, recordOf, type Schema } from '../../scripts/compat/document.ts';

const json = (schema: Schema) => ({ 'application/json': { schema } });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const MUG: Schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    size: { type: 'string', enum: ['S', 'L'] },
    parts: { type: 'array', items: { anyOf: [ref('Mug'), { type: 'null' }] } },
  },
};
const MUG_INPUT: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 100 },
    size: { type: 'string', enum: ['S', 'L'] },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
};

function documentOf({ mug = MUG, input = MUG_INPUT, operation = {} as Partial<Operation> } = {}): Document {
  const create: Operation = {
    operationId: 'createMug',
    parameters: [{ name: 'dryRun', in: 'query', schema: { type: 'boolean' } }],
    requestBody: { required: true, content: json(input) },
    responses: { 200: { content: json(ref('Mug')) }, 400: { content: json(ref('Error')) } },
    ...operation,
  };
  const list: Operation = {
    operationId: 'listMugs',
    responses: { 200: { content: json({ type: 'array', items: ref('Mug') }) } },
  };
  return {
    info: { version: '1' },
    paths: { '/mugs': { post: create, get: list } },
    components: { schemas: { Mug: mug, Error: { type: 'object' } } },
  };
}

const withField = (schema: Schema, name: string, field: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, [name]: field },
});
const withoutField = (schema: Schema, name: string): Schema => {
  const { [name]: _, ...properties } = schema.properties!;
  return { ...schema, properties, required: schema.required!.filter((each) => each !== name) };
};

const changesTo = (after: Document) =>
  findBreakages(documentOf(), after).map(({ subject, change }) => `${subject}: ${change}`);

test('changes that old clients can’t notice are not breaking', () => {
  assert.deepEqual(changesTo(documentOf()), []);
  assert.deepEqual(changesTo(documentOf({ mug: withField(MUG, 'colour', { type: 'string' }) })), []);
  assert.deepEqual(changesTo(documentOf({ mug: { ...MUG, required: ['id', 'name', 'size'] } })), []);
  assert.deepEqual(changesTo(documentOf({ mug: withField(MUG, 'note', { type: 'string' }) })), []);
  assert.deepEqual(
    changesTo(documentOf({ mug: withField(MUG, 'size', { type: 'string', enum: ['S', 'L', 'XL'] }) })),
    [],
  );
  assert.deepEqual(changesTo(documentOf({ input: withField(MUG_INPUT, 'colour', { type: 'string' }) })), []);
  assert.deepEqual(changesTo(documentOf({ input: { ...MUG_INPUT, required: [] } })), []);
  assert.deepEqual(changesTo(documentOf({ input: withField(MUG_INPUT, 'name', { type: 'string' }) })), []);
});

test('a removed or renamed operation breaks clients', () => {
  const { paths, ...rest } = documentOf();
  const { get: _, ...others } = paths['/mugs']!;
  assert.deepEqual(changesTo({ ...rest, paths: { '/mugs': others } }), ['GET /mugs: was removed']);
  assert.deepEqual(changesTo(documentOf({ operation: { operationId: 'makeMug' } })), [
    'POST /mugs: was renamed to makeMug',
  ]);
});

test('a response field that is removed or becomes optional, nullable or another type breaks clients, once per schema', () => {
  assert.deepEqual(changesTo(documentOf({ mug: withoutField(MUG, 'name') })), ['Mug: field name was removed']);
  assert.deepEqual(changesTo(documentOf({ mug: { ...MUG, required: ['id'] } })), [
    'Mug: field name can now be missing',
  ]);
  assert.deepEqual(changesTo(documentOf({ mug: withField(MUG, 'id', { type: 'integer' }) })), [
    'Mug: field id is now of type integer, not string',
  ]);
  const nullable: Schema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  assert.deepEqual(changesTo(documentOf({ mug: withField(MUG, 'name', nullable) })), [
    'Mug: field name can have other values',
  ]);
});

test('new required input breaks clients', () => {
  const subject = 'POST /mugs';
  const input = { ...withField(MUG_INPUT, 'colour', { type: 'string' }), required: ['name', 'colour'] };
  assert.deepEqual(changesTo(documentOf({ input })), [`${subject}: field colour is now required`]);
  const parameters = [{ name: 'dryRun', in: 'query', required: true, schema: { type: 'boolean' } }];
  assert.deepEqual(changesTo(documentOf({ operation: { parameters } })), [
    `${subject}: now requires the query parameter dryRun`,
  ]);
});

test('input that is no longer accepted breaks clients', () => {
  const change = (name: string, field: Schema) => changesTo(documentOf({ input: withField(MUG_INPUT, name, field) }));
  assert.deepEqual(change('size', { type: 'string', enum: ['S'] }), ['POST /mugs: field size no longer accepts L']);
  assert.deepEqual(change('name', { type: 'string', maxLength: 50 }), ['POST /mugs: field name has a lower maxLength']);
  assert.deepEqual(change('name', { type: 'string', maxLength: 100, minLength: 1 }), [
    'POST /mugs: field name has a higher minLength',
  ]);
  assert.deepEqual(change('note', { type: 'string' }), ['POST /mugs: field note no longer accepts all values']);
  assert.deepEqual(changesTo(documentOf({ input: withoutField(MUG_INPUT, 'size') })), [
    'POST /mugs: field size was removed',
  ]);
  assert.deepEqual(changesTo(documentOf({ operation: { parameters: [] } })), [
    'POST /mugs: no longer accepts the query parameter dryRun',
  ]);
});

test('the recorded API of a release contains everything the check compares', () => {
  const recorded = JSON.parse(recordOf(documentOf(), '0.2.0')) as Document;
  assert.equal(recorded.info.version, '0.2.0');
  assert.deepEqual(findBreakages(recorded, documentOf()), []);
  const after = documentOf({ mug: withoutField(MUG, 'name'), input: withoutField(MUG_INPUT, 'size') });
  assert.deepEqual(findBreakages(recorded, after), findBreakages(documentOf(), after));
});

test('a breaking change needs a new minor version before 1.0, a major one afterward, and a line in its changelog', () => {
  const breakages = [{ subject: 'GET /mugs', change: 'was removed' }];
  const changelog = (version: string, line: string) =>
    `# Changelog\n\n## [${version}] - 2026-01-01\n\n${line}\n\n## [0.1.0]\n`;
  const line = '- `GET /mugs` is gone: use `GET /cups`.';
  const problems = ['GET /mugs: was removed'];
  assert.deepEqual(checkBreakages(breakages, '0.2.0', '0.3.0', changelog('0.3.0', line)), []);
  assert.deepEqual(checkBreakages(breakages, '0.2.0', '0.2.1', changelog('0.2.1', line)), problems);
  assert.deepEqual(checkBreakages(breakages, '0.2.0', '0.3.0', changelog('0.3.0', '- Cups.')), problems);
  assert.deepEqual(checkBreakages(breakages, '0.2.0', '0.3.0', changelog('0.2.0', line)), problems);
  assert.deepEqual(checkBreakages(breakages, '1.2.0', '1.3.0', changelog('1.3.0', line)), problems);
  assert.deepEqual(checkBreakages(breakages, '1.2.0', '2.0.0', changelog('2.0.0', line)), []);
});
