import assert from 'node:assert/strict';
import test from 'node:test';
import { detectType } from '../../src/domains/media/uploads/file-types.ts';
import { cpuMs, LINEAR_MS } from '../cpu.ts';

const typeOf = async (text: string) => {
  const type = await detectType(Buffer.from(text));
  return 'refused' in type ? type.refused : type.mimeType;
};

test('an SVG file can start with a declaration, comments and a doctype, but not define entities', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const comments = '<!-- a --> <!---->\n'.repeat(30);
  for (const start of [
    '',
    '\n',
    '<?xml version="1.0"?>\n',
    comments,
    `<?xml version="1.0"?>${comments}<!DOCTYPE svg PUBLIC "x">${comments}`,
  ])
    assert.equal(await typeOf(start + svg), 'image/svg+xml', start);
  for (const text of [
    '<svgx/>',
    '<!-- <svg>',
    '<!DOCTYPE html><svg>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg>',
    '<html><svg>',
    '<x',
  ])
    assert.equal(await typeOf(text), 'HTML or XML', text);
});

test('text that looks like the start of an SVG file is checked in linear time', async () => {
  await typeOf('<svg>');
  for (const text of [
    `${'<!---->'.repeat(30)}<x`,
    `${'<!---->'.repeat(9000)}<x`,
    '<!--'.repeat(16_000),
    `<!DOCTYPE svg ${' '.repeat(60_000)}`,
  ]) {
    let type: Promise<unknown> | undefined;
    const ms = cpuMs(() => {
      type = typeOf(text);
    });
    const before = process.threadCpuUsage();
    await type;
    const { user } = process.threadCpuUsage(before);
    assert.ok(ms + user / 1000 < LINEAR_MS, text.slice(0, 20));
  }
});
