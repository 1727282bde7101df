/** Positions in the write-ahead log of the primary (LSNs), as PostgreSQL writes them: `16/B374D848`. */

const numberOf = (lsn: string): bigint => {
  const [high, low] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

export const laterOf = (a: string, b: string): string => (numberOf(a) >= numberOf(b) ? a : b);

/** `server` identifies the database and the timeline: positions of different servers can't be compared. */
export type Position = { lsn: string; server: string };

/** Replicas are at most this far behind. */
const MAX_AGE_MS = 1000;
const READ_EVERY_MS = 250;

/** The positions that this process knows. `read` reads the current one from the primary. */
export function createPositions(read: () => Promise<Position>, nowMs: () => number = () => performance.now()) {
  let latest = '0/0';
  /** Positions from the last second, oldest first. */
  let readings: (Position & { sentAtMs: number })[] = [];
  let isReading = false;

  async function readNext(): Promise<void> {
    isReading = true;
    const sentAtMs = nowMs();
    try {
      const position = await read();
      readings = [...readings.filter(({ server }) => server === position.server), { ...position, sentAtMs }];
    } catch {
      // Without a recent position, the primary serves the read.
    } finally {
      isReading = false;
    }
  }

  return {
    /** Called with a position after each commit of this process. */
    note(lsn: string): void {
      latest = laterOf(latest, lsn);
    },
    /** A position after all commits of this process so far. */
    latest: () => latest,
    /**
     * A position that the primary had within the last second. The oldest one, because a replica has probably reached it. Null if none is
     * known. Starts to read a newer one in the background when it is called, so that an idle process reads none.
     */
    recent(): Position | null {
      const now = nowMs();
      readings = readings.filter(({ sentAtMs }) => now - sentAtMs < MAX_AGE_MS);
      const newest = readings.at(-1);
      if (!isReading && (!newest || now - newest.sentAtMs >= READ_EVERY_MS)) void readNext();
      return readings[0] ?? null;
    },
  };
}
