import type { FetchedJob, Source } from './worker.ts';

/**
 * A source of due rows. It only queries businesses that `note` was called for: a claim reads the tables of one
 * business.
 */
export type TurnSource<Job extends FetchedJob = FetchedJob> = Source<Job> & {
  /** Records that the business may have due rows. */
  note(businessId: string): void;
};

/** `hasMore`: the claim reached its limit, so there may be more rows. */
type Claimed<Job> = { jobs: Job[]; hasMore: boolean };

/**
 * Businesses take turns: each fetch claims from the business at the front and moves it to the end while it has more.
 * So the rows of a business wait for one turn of every other business, never for all of another business's rows.
 */
export function createTurns<Job>(claim: (businessId: string, limit: number) => Promise<Claimed<Job>>) {
  const turns = new Set<string>();
  return {
    note: (businessId: string) => void turns.add(businessId),
    async fetch(limit: number): Promise<Job[]> {
      const fetched: Job[] = [];
      for (const businessId of turns) {
        const left = limit - fetched.length;
        if (left === 0) break;
        const share = Math.ceil(left / turns.size);
        turns.delete(businessId);
        const { jobs, hasMore } = await claim(businessId, share);
        if (hasMore) turns.add(businessId);
        fetched.push(...jobs);
      }
      return fetched;
    },
  };
}
