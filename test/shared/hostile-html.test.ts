/** Rich text that is slow to parse. A stored value can date from when its block was plain text, so it can contain anything. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { withPlainElements } from '../../src/shared/mail/elements.ts';
import { attributeOf, parseTree, writeTree } from '../../src/shared/mail/html-tree.ts';
import { plainText } from '../../src/shared/mail/plain-text.ts';
import { absoluteLinks, hasUnsafeLink, richText } from '../../src/shared/mail/rich-text.ts';
import { plainText as plainTextOfPage, withoutVariables } from '../../storefront/markup.ts';
import { cpuMs, LINEAR_MS } from '../cpu.ts';

const spaces = ' '.repeat(100_000);
const HOSTILE: Record<string, string> = {
  'spaces before nothing': `${spaces}x`,
  'spaces in an attribute': `<p>a</p><a title="${spaces}">b</a>`,
  'opening brackets': '<'.repeat(200_000),
  'tags without an end': '<a '.repeat(100_000),
  'links without an end': '<a href="/">'.repeat(30_000),
  'headings without an end': '<h1>'.repeat(50_000),
  'closing tags': '</p>'.repeat(50_000),
  'placeholders without an end': '{{ '.repeat(60_000),
  attributes: `<a ${'x="y" '.repeat(30_000)}>b</a>`,
};
const accent = { link: '#000', button: '#000', onButton: '#fff' } as never;

for (const [name, text] of Object.entries(HOSTILE)) {
  test(`rich text with many ${name} takes linear time`, () => {
    const ms = cpuMs(() => {
      richText(text, accent);
      withPlainElements(text, new Map());
      plainText(text);
      absoluteLinks(text, 'https://shop.example');
      hasUnsafeLink(text, []);
      withoutVariables(text);
      plainTextOfPage(text);
    });
    assert.ok(ms < LINEAR_MS, `${Math.round(ms)} ms`);
  });
}

test('parsing and writing rich text changes nothing', () => {
  const html =
    '<h1>A &amp; B</h1><p data-button>1 <a href="/x?a=1&amp;b=2" title="c d">d<br /></a></p><ul><li>e</li></ul>f<img src="/g.png" alt="" />';
  assert.equal(writeTree(parseTree(html)), html);
});

test('text between angle brackets that is no tag stays text', () => {
  assert.deepEqual(parseTree('1 < 2 <3> <!-- -->'), ['1 < 2 <3> <!-- -->']);
});

test('an attribute is found by its whole name and outside the values of others', () => {
  const attributes = ' title="a href=&quot; data-x" data-button hreflang="de" href="/b c" src=""';
  const of = (name: string) => attributeOf({ attributes }, name);
  assert.deepEqual(['title', 'data-button', 'href', 'src', 'data-x', 'data', 'lang'].map(of), [
    'a href=&quot; data-x',
    '',
    '/b c',
    '',
    undefined,
    undefined,
    undefined,
  ]);
});

test('links of plain text keep their URL, unless it is also their label', () => {
  const html =
    '<p>See <a href="https://a.example/">our <b>shop</b></a> or <a href="/b">/b</a> or <a href="/c"><img src="x" alt="y" /></a>.</p><p>1</p>';
  assert.equal(plainText(html), 'See our shop (https://a.example/) or /b or /c.\n\n1');
});
