/** A business with an admin, and methods to import and export. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ImportError } from '../../client/src/generated/types.ts';
import type { Permission } from '../../src/shared/security/caller.ts';
import type { Harness, Json } from '../harness.ts';

export const MARKETS = [
  { id: 'us', name: 'United States', currency: 'usd' },
  { id: 'eu', name: 'Europe', currency: 'eur' },
];

export const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

export async function openShop(
  h: Harness,
  { configs = { markets: MARKETS }, permissions = ['ADMIN'] }: { configs?: object; permissions?: Permission[] } = {},
) {
  const businessId = await h.business(configs);
  const { token, userId } = await h.member(businessId, ...permissions);
  const base = `/v1/businesses/${businessId}` as const;

  function post(query: string, file: Buffer | string, type = 'text/csv') {
    return h.call('POST', `${base}/imports?${query}`, { token, body: file, headers: { 'content-type': type } });
  }

  const get = async <P extends string>(path: P) => {
    const { status, body } = await h.call('GET', `${base}${path}`, { token });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };

  async function errorsOf(id: string) {
    const all: ImportError[] = [];
    for (let cursor = ''; ; ) {
      const page = await get(`/imports/${id}/errors?limit=100&cursor=${cursor}`);
      all.push(...page.items);
      if (page.cursor === null) return all;
      cursor = page.cursor;
    }
  }

  return {
    businessId,
    userId,
    token,
    base,
    post,
    get,
    errorsOf,
    call: <M extends string, P extends string>(method: M, path: P, body?: unknown) =>
      h.call(method, `${base}${path}`, { token, body }),
    /** Waits for the import to end and returns it. */
    async run(query: string, file: Buffer | string, type?: string) {
      const { status, body } = await post(query, file, type);
      assert.equal(status, 200, JSON.stringify(body));
      await h.drain('run-import');
      return get(`/imports/${body.id}`);
    },
    async download(path: string): Promise<string> {
      const response = await fetch(`${h.url}${base}${path}`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
      return response.text();
    },
  };
}

/** `created, updated, unchanged, failed`. */
export const countsOf = ({ status, created, updated, unchanged, skipped, failed }: Json) =>
  `${status} +${created} ~${updated} =${unchanged} -${skipped} !${failed}`;

/** The lines of an export of a whole business after an edit, with the end marker. */
export function completed(lines: readonly string[]): string {
  const records = lines.filter((line) => line !== '' && !line.startsWith('{"kind":"end"'));
  return `${[...records, JSON.stringify({ kind: 'end', data: { records: records.length } })].join('\n')}\n`;
}
