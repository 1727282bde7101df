import assert from 'node:assert/strict';
import test from 'node:test';
import { findHints } from '../../src/domains/newsletters/rendering/hints.ts';
import { plainText } from '../../src/shared/mail/plain-text.ts';
import { replaceTags } from '../../src/shared/text/tags.ts';
import { withoutEnd } from '../../src/shared/text/text.ts';
import { replaceElements, plainText as siteText, withoutVariables } from '../../storefront/markup.ts';

test('replacing tags leaves everything else, also brackets without a partner', () => {
  for (const html of ['', 'a', '<b>a</b>', 'a > b < c', '<<b>>', '<', '>', '<a <b>c', '<br><br>']) {
    assert.equal(
      replaceTags(html, () => ''),
      html.replaceAll(/<[^<>]*>/g, ''),
    );
    assert.equal(
      replaceTags(html, () => null),
      html,
    );
  }
});

test('elements are replaced with their content, up to one without an end tag', () => {
  const removed = replaceElements(
    '<h1>a<h2>b</h1>c</h2><h2>d',
    /<(h\d)\b/g,
    (name) => `</${name}>`,
    () => ' ',
  );
  assert.equal(removed, ' c</h2><h2>d');
});

test('a description on the storefront is the text without markup and variables', () => {
  assert.equal(siteText('<p>A <b>b</b>old</p><p>1 &lt; 2</p>'), 'A bold 1 < 2');
  assert.equal(siteText('a < b'), 'a < b');
  assert.equal(siteText('one two, three', 9), 'one two…');
  assert.equal(withoutVariables('Hi  {{ subscriber.name }}, {{other}}\n {{viewUrl}}  '), 'Hi, {{other}}  ');
});

test('plain text keeps links, list items and the text of images', () => {
  const html =
    '<p>A <a href="https://a.example">link</a> and <a href="https://b.example">https://b.example</a>.</p>' +
    '<ul><li>One</li><li><a href="/c"><img alt="" src="x"></a></li></ul><p>Two<br>lines <img src="x" alt="Logo"></p><hr>' +
    '<table><tr><td>1</td> <td>2</td></tr></table><a href="/open">never closed';
  assert.equal(
    plainText(html),
    'A link (https://a.example) and https://b.example.\n\n- One\n- /c\n\nTwo\nlines Logo\n\n----\n\n1  2\n\nnever closed',
  );
});

test('hints name links that show another address, and images without a text', () => {
  const html =
    '<html><body class="x"><a href="https://evil.example"><b>www.bank.example</b></a><img src="a" alt=" "><img src="b" alt="b"><a href="https://x';
  const hints = findHints({ subject: 'Hello', html, hasAddress: true }).map(({ code, detail }) => `${code} ${detail}`);
  assert.deepEqual(hints, ['FEW_WORDS ', 'NO_ALT 1', 'DISGUISED_LINK bank.example']);
});

test('only the characters at the end are cut off', () => {
  assert.equal(withoutEnd('//a/b//', '/'), '//a/b');
  assert.equal(withoutEnd('///', '/'), '');
});
