/** A business with a blog and a mug, two editors and a reader. */
import assert from 'node:assert/strict';
import type { BodyOf } from '../call.ts';
import type { ApiResponse, Harness, Json, TestUser } from '../harness.ts';

export async function createSite(h: Harness) {
  const businessId = await h.business();
  const base = `/v1/businesses/${businessId}` as const;
  const [ada, bo, reader] = await Promise.all([
    h.member(businessId, 'CONTENT_READ', 'CONTENT_WRITE', 'CATALOG_WRITE'),
    h.member(businessId, 'CONTENT_READ', 'CONTENT_WRITE', 'CATALOG_WRITE'),
    h.guest(),
  ]);
  const [byAda, byBo, byReader] = [ada, bo, reader].map((person) => callAs(h, base, person)) as [Call, Call, Call];
  const collection = await ok(
    byAda('POST', 'collections', {
      name: 'Blog',
      status: 'PUBLISHED',
      blocks: [
        { id: 'title', type: 'TEXT', required: true },
        { id: 'text', type: 'TEXT', settings: { variant: 'HTML' } },
      ],
    }),
  );
  return {
    businessId,
    base,
    ada,
    bo,
    reader,
    byAda,
    byBo,
    byReader,
    collectionId: collection.id as string,
    entry: (title: string, status = 'PUBLISHED', more: object = {}) =>
      ok(byAda('POST', 'entries', { collectionId: collection.id, blocks: titled(title), status, ...more })),
    product: (name: string, more: object = {}) => ok(byAda('POST', 'products', { name, variants: MUGS, ...more })),
    /** The public record, or null if there is none. */
    async seen<P extends string>(path: P): Promise<BodyOf<'GET', `${typeof base}/${P}`> | null> {
      const { status, body } = await byReader('GET', path);
      return status === 404 ? null : body;
    },
  };
}

/** Tests advance the clock by hours, so expired tokens are renewed. */
function callAs(h: Harness, base: `/v1/businesses/${string}`, person: TestUser) {
  let [token, until] = [person.token, h.clock.seconds() + 3000];
  return async <M extends string, P extends string>(
    method: M,
    path: P,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    if (h.clock.seconds() > until) {
      const { refreshToken } = person;
      const renewed = await h.call('POST', '/v1/users/refresh', { body: { provider: 'EMAIL', refreshToken } });
      [token, until] = [renewed.body.accessToken, h.clock.seconds() + 3000];
    }
    return h.call(method, `${base}/${path}`, { token, body, headers });
  };
}

type Call = ReturnType<typeof callAs>;

const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 900 }] };
export const MUGS = [{ id: 'm', name: 'Mug', sku: '', pricing, inventory: { tracked: true, quantity: 7 } }];

export const titled = (title: string) => [{ id: 'title', type: 'TEXT', value: title }];
export const titleOf = (entry: Json) => entry?.blocks.find(({ id }: Json) => id === 'title')?.value ?? null;
export const statusOf = (record: Json) => record.statuses.at(-1).status;

export async function ok<Body>(response: Promise<ApiResponse<Body>>): Promise<Body> {
  const { status, body } = await response;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export const problems = ({ status, body }: ApiResponse) => [
  status,
  ...(body.details ?? []).map(({ field, error }: Json) => `${field} ${error}`),
];

/** Advances the clock past this time and runs the due work. */
export async function passTo(h: Harness, at: number): Promise<void> {
  h.clock.advance(at - h.clock.seconds());
  await h.drain('publish-due');
}
