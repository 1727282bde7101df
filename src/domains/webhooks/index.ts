/**
 * Webhooks: events as signed requests to URLs that a business registers. The transaction that numbers an event inserts a delivery
 * for each webhook. Each webhook has its own queue, in which the events of one entity are delivered in order. A delivery is deleted
 * with its event. Delivery is at least once: if a process crashes before it stores the outcome of a call, the call is made again
 * with the same ID.
 */
import type { Platform } from '../../context/index.ts';
import { createOutbound } from '../../providers/outbound/index.ts';
import { deriveKey, seal, unseal } from '../../shared/security/secrets.ts';
import type { Events } from '../events/index.ts';
import { deleteOldDeliveries } from './delete-old.ts';
import { fanOut, REPLAY, type Replay, replay } from './fan-out.ts';
import { handleDeliveries } from './sender.ts';
import type { Webhooks } from './service.ts';

export { deleteResponses } from './delivery-queries.ts';
export { webhookEvents } from './event-schemas.ts';

export function createWebhooks(platform: Platform, events: Events): Webhooks {
  const { config, clock } = platform;
  const key = deriveKey(config.secretKey, 'webhooks');
  const nowMs = clock.ms;

  events.onNumbered((ctx, numbered) => fanOut(ctx, numbered, nowMs()));
  handleDeliveries(platform);
  platform.handleTasks<Replay>({ name: REPLAY, urgent: true, handle: replay });
  platform.handleJobs<object>({
    name: 'webhooks-upkeep',
    cron: '37 * * * *',
    handle: deleteOldDeliveries,
  });

  return {
    outbound: createOutbound({ allow: config.outboundAllow }),
    nowMs,
    seal: (businessId, id, secret) => seal(key, secret, `${businessId}/${id}`),
    secretsOf({ businessId, id, secret, previousSecret, previousUntil }, nowSeconds) {
      const sealed = previousSecret && (previousUntil ?? 0) > nowSeconds ? [secret, previousSecret] : [secret];
      return sealed.map((each) => unseal(key, each, `${businessId}/${id}`));
    },
  };
}
