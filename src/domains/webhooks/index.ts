/**
 * Webhooks: events as signed calls to addresses that a business names. An event becomes a delivery for each webhook in the
 * transaction that numbers it; each webhook has a queue of its own, and within it the events of one entity go out in order.
 * A delivery is deleted with its event.
 * Delivered at least once: a call whose outcome was not written before a process died is made again, with the same id.
 */
import type { Steps as AnySteps, Platform } from '../../context/index.ts';
import { createOutbound } from '../../providers/outbound/index.ts';
import { deriveKey, seal, unseal } from '../../shared/secrets.ts';
import type { Events } from '../events/index.ts';
import type { Steps, WebhookServices } from './context.ts';
import { deleteOldDeliveries } from './delete-old.ts';
import { fanOut, REPLAY_JOB, type ReplayJob, replay, webhooksSubject } from './fan-out.ts';
import { createSender } from './sender.ts';
import type { ListedWebhook } from './webhook-queries.ts';

export { deleteAnswers } from './delivery-queries.ts';

export function createWebhooks(platform: Platform, events: Events, system: () => AnySteps) {
  const { config, clock, broadcast, log } = platform;
  const key = deriveKey(config.secretKey, 'webhooks');
  const nowMs = () => clock.seconds() * 1000 + (Date.now() % 1000);
  const sender = createSender({ system: system as () => Steps, log });

  events.onNumbered((ctx, numbered) => fanOut(ctx, numbered, nowMs()));
  platform.handleJobs<ReplayJob, WebhookServices>({ name: REPLAY_JOB, urgent: true, handle: replay });
  platform.handleJobs<object, WebhookServices>({
    name: 'webhooks-upkeep',
    cron: '37 * * * *',
    handle: deleteOldDeliveries,
  });
  const prefix = webhooksSubject('');
  broadcast.subscribe((subject) => {
    if (subject.startsWith(prefix)) sender.wake(subject.slice(prefix.length));
  });

  return {
    outbound: createOutbound({ allow: config.outboundAllow }),
    nowMs,
    seal: (businessId: string, id: string, secret: string) => seal(key, secret, `${businessId}/${id}`),
    /** What a call is signed with: the secret, and the former one for a day after it was replaced. */
    secretsOf({ businessId, id, secret, formerSecret, formerUntil }: ListedWebhook, nowSeconds: number): string[] {
      const sealed = formerSecret && (formerUntil ?? 0) > nowSeconds ? [secret, formerSecret] : [secret];
      return sealed.map((each) => unseal(key, each, `${businessId}/${id}`));
    },
    start: sender.start,
    stop: sender.stop,
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
