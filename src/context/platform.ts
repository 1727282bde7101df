/** Creates the platform: what every domain gets when it is created. Its handlers run in contexts, which are created after the domains. */
import { deleteExpiredKeys } from '../db/idempotency.ts';
import { deleteExpiredLimits } from '../db/limits.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Contexts } from './create.ts';
import type { AppServices, Platform, Steps } from './index.ts';

type Given = Omit<Platform, 'handleJobs' | 'handleTasks' | 'handleDueRows' | 'handleBatches'>;

export function createPlatform(given: Given, jobs: Jobs, contexts: () => Pick<Contexts, 'system'>): Platform {
  const asHandler =
    <Data extends object>(handle: (ctx: Steps<AppServices>, data: Data) => Promise<void>) =>
    (data: Data, signal: AbortSignal) =>
      handle(contexts().system(businessOf(data), signal), data);
  const onNews = (name: string, act: (businessId: string) => unknown) =>
    given.broadcast.subscribe((subject) => {
      if (subject.startsWith(`${name}:`)) act(subject.slice(name.length + 1));
    });

  const platform: Platform = {
    ...given,
    handleJobs({ handle, ...queue }) {
      jobs.register({ ...queue, handle: asHandler(handle) });
    },
    handleTasks({ handle, ...queue }) {
      jobs.registerTasks({ ...queue, handle: asHandler(handle) });
    },
    handleDueRows({ handle, ...queue }) {
      const { wake } = jobs.registerRows({ ...queue, handle: asHandler(handle) });
      onNews(queue.name, wake);
    },
    handleBatches({ list, run, ...batches }) {
      const { wake, look } = jobs.registerBatches({
        ...batches,
        list: (businessId, limit) => list(contexts().system(), businessId, limit),
        run: (scope, signal) => run(contexts().system(scope.businessId, signal), scope),
      });
      onNews(batches.name, look);
      return { wake };
    },
  };
  platform.handleJobs({ name: 'upkeep', cron: '*/10 * * * *', handle: deleteExpired });
  return platform;
}

const businessOf = (data: object) =>
  'businessId' in data && typeof data.businessId === 'string' ? data.businessId : undefined;

/** Deletes expired Idempotency-Keys and rate limits. */
async function deleteExpired(ctx: Steps): Promise<void> {
  await ctx.write((tx) => deleteExpiredKeys(tx, ctx.now));
  await ctx.write((tx) => deleteExpiredLimits(tx, ctx.now));
}
