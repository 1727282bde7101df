import type { Pool } from '../../db/connection.ts';
import { type Leave, type Outcome, type Ticket, writeTurns } from './ledger-queries.ts';
import type { SendKey } from './send-queries.ts';

type Turn = {
  outcome: Outcome | null;
  next: Ticket | null;
  resolve: (leave: Leave) => void;
  reject: (error: Error) => void;
};

/**
 * Writes down what happens to each message, as it happens. A connection hands in the outcome of its last message together
 * with the ticket of its next, and waits; what all connections hand in while one write is on its way goes with the following
 * one. So the database sees one statement for many messages, and yet at no moment more than one message for each connection
 * is marked ATTEMPTING.
 */
export function createLedger(pool: Pool, send: SendKey, nowSeconds: () => number) {
  let waiting: Turn[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const turns = waiting;
      waiting = [];
      try {
        const leaves = await writeTurns(pool, send, turns, nowSeconds());
        for (const turn of turns) turn.resolve(leaves.get(turn.next?.subscriptionId ?? '') ?? 'LOST');
      } catch (error) {
        for (const turn of turns) turn.reject(error as Error);
      }
    }
    writing = false;
  }

  return {
    /** Writes how the former message ended and asks leave for the next, in one transaction. */
    turn(outcome: Outcome | null, next: Ticket | null): Promise<Leave> {
      return new Promise((resolve, reject) => {
        waiting.push({ outcome, next, resolve, reject });
        if (!writing) writeAll();
      });
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
