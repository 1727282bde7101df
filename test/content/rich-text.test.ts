import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { sanitizeHtml } from '../../src/shared/blocks/html.ts';

const ATTACKS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<img/src=/x/onerror=alert(1)//>',
  '<p onclick="alert(1)" style="width: expression(alert(1))">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" jAvAsCrIpT&#58;alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#x0A;script:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><script>alert(1)</script></textarea>',
  '<title><img src=x onerror=alert(1)></title>',
  '<style>@import "//evil.example";</style>',
  '<iframe src="https://evil.example"></iframe><object data="x"></object><embed src="x">',
  '<form action="//evil.example"><input name="a"><button>Go</button></form>',
  '<base href="//evil.example"><meta http-equiv="refresh" content="0;url=//evil.example"><link rel=stylesheet href=x>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<template><script>alert(1)</script></template>',
  '<p title="x" onmouseover  = "alert(1)"',
  '"><img src=x onerror=alert(1)>',
  '<a href="https://a.example" target="_top" onclick="x" style="position:fixed">x</a>',
];

const ATTRIBUTE = / ([a-z]+)="([^"<>]*)"/g;
const TAG = new RegExp(`^</?([a-z][a-z0-9]*)((?:${ATTRIBUTE.source})*)(?: /)?>$`);
const FORBIDDEN = /^(?:script|style|svg|math|iframe|object|embed|form|input|base|meta|link|template|noscript|title)$/;

/** Every tag is unambiguous and inert; the remaining text has no < or >. */
function assertHarmless(html: string | null): asserts html is string {
  assert.ok(html !== null);
  for (const text of html.match(/<[^>]*>/g) ?? []) {
    const [, tag, attributes] = TAG.exec(text) ?? assert.fail(html);
    assert.doesNotMatch(tag!, FORBIDDEN, html);
    for (const [, name, value] of attributes!.matchAll(ATTRIBUTE)) {
      assert.doesNotMatch(name!, /^on|^style$/, html);
      if (name === 'href' || name === 'src') assert.match(value!, /^(?:https?:|mailto:|tel:|[^:]*$)/, html);
      if (name === 'href' || name === 'src') assert.doesNotMatch(value!, /^\s*\/\//, html);
    }
  }
  assert.doesNotMatch(html.replace(/<[^>]*>/g, ''), /[<>]/, html);
}

test('no active content survives sanitizing hostile HTML', () => {
  for (const attack of ATTACKS) assertHarmless(sanitizeHtml(attack));
  for (const outer of ATTACKS) {
    for (const inner of ATTACKS) assertHarmless(sanitizeHtml(outer.replace('alert(1)', inner)));
  }
});

test('sanitizing is idempotent', () => {
  for (const attack of ATTACKS) assert.equal(sanitizeHtml(sanitizeHtml(attack)!), sanitizeHtml(attack));
  const pieces = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '&lt;',
    '<p>',
    '</p>',
    '<a href="/x">',
    '<img src=',
    ' onerror=x',
    '<!--',
    '-->',
    'text',
    '{{subscriber.name}}',
    '<svg>',
    '<b',
    '\u00a0',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      const once = sanitizeHtml(parts.join(''));
      assertHarmless(once);
      assert.equal(sanitizeHtml(once), once);
    }),
    { numRuns: 500 },
  );
});

test('sanitizing keeps formatting and variables and makes links open safely', () => {
  const newsletter =
    '<h1>Hi {{subscriber.name}}</h1><p>5 &lt; 6 &amp; <strong>bold</strong><br /></p><ul><li>a</li></ul><img src="https://a.example/b.jpg" alt="b" /><table><tbody><tr><td colspan="2">x</td></tr></tbody></table>';
  assert.equal(sanitizeHtml(newsletter), newsletter);
  assert.equal(
    sanitizeHtml('<a href="https://a.example" target="_blank" rel="opener">x</a>'),
    '<a href="https://a.example" target="_blank" rel="noopener noreferrer">x</a>',
  );
  assert.equal(
    sanitizeHtml('<a href="{{unsubscribeUrl}}">Leave</a>'),
    '<a href="{{unsubscribeUrl}}" rel="noopener noreferrer">Leave</a>',
  );
});

test('text with excessive nesting is rejected, however it is disguised', () => {
  for (const piece of ['<b>', '<b></i>', '<b><!--</b>-->', '<b title="</b>">', '<svg>', '<p><li>', '<table><tr><td>']) {
    assert.equal(sanitizeHtml(piece.repeat(1000)), null, piece);
  }
  for (const piece of ['<', '</b>', '<!--', '&', '<p>', '<br>', '<script>', '<b>x</b>']) {
    assertHarmless(sanitizeHtml(piece.repeat(10_000)));
  }
});
