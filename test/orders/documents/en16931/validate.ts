/** Validates e-invoices against the official rules of EN 16931. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

type SaxonJs = {
  transform(options: object): { principalResult: string };
};
const SaxonJS = createRequire(import.meta.url)('saxon-js') as SaxonJs;
const rules = JSON.parse(gunzipSync(readFileSync(new URL('./cii.sef.json.gz', import.meta.url))).toString());

/** The rules that the invoice violates, such as `[BR-S-08]-…`. */
export function violatedRules(xml: string): string[] {
  const { principalResult } = SaxonJS.transform({
    stylesheetInternal: rules,
    sourceText: xml,
    destination: 'serialized',
  });
  const failed = principalResult.matchAll(/<svrl:failed-assert(.*?)<\/svrl:failed-assert>/gs);
  return [...failed].flatMap(([, assertion = '']) => {
    const [, flag = 'fatal'] = /flag="(\w+)"/.exec(assertion) ?? [];
    const [, text = ''] = /<svrl:text>(.*?)<\/svrl:text>/s.exec(assertion) ?? [];
    return flag === 'fatal' ? [text.trim()] : [];
  });
}
