/** A newsletter with automations, for the tests in this folder. */
import type { Harness, Json } from '../../harness.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const QUEUES = ['automation-dates', 'automation-signals', 'automation-steps', 'newsletter-send', 'automation-deletion'];

export async function makeAutomations(h: Harness, collectionFields: object = {}, configs: object = {}) {
  const newsletter = await makeNewsletter(h, collectionFields, configs);
  const { base, businessId, collectionId } = newsletter;
  const path = `${base}/automations` as const;
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', rest: string, body?: object) =>
    h.call(method, `${path}${rest}`, { token: newsletter.token, ...(body ? { body } : {}) });

  return {
    ...newsletter,
    get token() {
      return newsletter.token;
    },
    call,
    create: (steps: object[], fields: Json = {}) =>
      call('POST', '', {
        name: 'Welcome',
        enabled: true,
        steps,
        ...fields,
        trigger: { type: 'subscription.confirmed', collectionId, ...fields.trigger },
      }),
    change: (id: string, body: object) => call('PUT', `/${id}`, body),
    /** Runs everything that is due now. */
    async run(): Promise<void> {
      await h.numberEvents(businessId);
      while ((await h.drain(...QUEUES)) > 0) await h.numberEvents(businessId);
    },
    /** The status and step of everyone: `ada@example.com ACTIVE step`. */
    async people(id: string, query = ''): Promise<string[]> {
      const { items } = await ok(call('GET', `/${id}/people${query}`));
      return (items as Json[])
        .map(({ email, status, reason, stepId }) => `${email} ${status} ${reason ?? stepId ?? ''}`.trim())
        .sort();
    },
    /** The subscription of an address. */
    async subscriber(email: string): Promise<Json> {
      const query = `?email=${encodeURIComponent(email)}`;
      return (await newsletter.subscribers(query))[0]!;
    },
    tag: (subscriptionId: string, tags: string[], fields: object = {}) =>
      h.call('PUT', `${base}/collections/${collectionId}/subscribers/${subscriptionId}`, {
        token: newsletter.token,
        body: { tags, ...fields },
      }),
  };
}
