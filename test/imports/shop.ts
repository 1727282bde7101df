/** A business with somebody who moves in, and how they do it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Permission } from '../../src/shared/caller.ts';
import type { Answer, Harness, Json } from '../harness.ts';

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
  const base = `/v1/businesses/${businessId}`;

  async function post(query: string, file: Buffer | string, type = 'text/csv'): Promise<Answer> {
    const answer = await fetch(`${h.url}${base}/imports?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: file as never,
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }

  const get = async (path: string): Promise<Json> => {
    const { status, body } = await h.call('GET', `${base}${path}`, { token });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };

  async function errorsOf(id: string): Promise<Json[]> {
    const all: Json[] = [];
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
    call: (method: string, path: string, body?: unknown) => h.call(method, `${base}${path}`, { token, body }),
    /** The import once it is over. */
    async run(query: string, file: Buffer | string, type?: string): Promise<Json> {
      const { status, body } = await post(query, file, type);
      assert.equal(status, 200, JSON.stringify(body));
      await h.drain('run-import');
      return get(`/imports/${body.id}`);
    },
    async download(path: string): Promise<string> {
      const answer = await fetch(`${h.url}${base}${path}`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(answer.status, 200, await (answer.ok ? '' : answer.text()));
      return answer.text();
    },
  };
}

/** `created, updated, unchanged, failed`. */
export const countsOf = ({ status, created, updated, unchanged, skipped, failed }: Json) =>
  `${status} +${created} ~${updated} =${unchanged} -${skipped} !${failed}`;
