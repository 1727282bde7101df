/** Ends the test of an experiment: the rest of the audience gets the chosen version. */
import { conflict, invalidField, notFound } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { countByVersion, releaseRemaining } from './batches/experiment-queries.ts';
import { deliveringSubject } from './batches/subject.ts';
import { emitSend } from './emit-send.ts';
import type { SendPath } from './read-send.ts';
import { type Send, sendOf, type WinnerInput } from './schemas.ts';
import { findSendView, lockSend, type SendRow } from './send-queries.ts';
import { countVersions } from './versions.ts';

/** Applies the choice of a member. Choosing the same version again has no effect. */
export async function chooseWinner(ctx: Command, { entryId, sendId, variant }: SendPath & WinnerInput): Promise<Send> {
  const { db: tx, businessId } = ctx;
  const send = await lockSend(tx, businessId, sendId);
  if (send?.entryId !== entryId) throw notFound('Send');
  if (!send.experiment) throw conflict('This send has no A/B test.');
  if (variant >= countVersions(send.experiment)) {
    throw invalidField('variant', 'OUT_OF_RANGE', 'variant must be the index of one of the tested versions.');
  }
  if (send.winner !== variant) {
    if (send.status !== 'SENDING' || !send.frozen)
      throw conflict('A winner can be chosen only while the send is running.');
    if (send.winner !== null) throw conflict('The winner was already chosen.');
    await settle(ctx, send, variant);
  }
  return sendOf((await findSendView(tx, businessId, entryId, sendId))!);
}

/** Chooses the winner by the metric when the test is over. Takes effect once, however many workers try. */
export async function decideExperiment(ctx: Command, { id }: Pick<SendRow, 'id'>): Promise<void> {
  const send = await lockSend(ctx.db, ctx.businessId, id);
  if (!send?.experiment || send.status !== 'SENDING' || !isDecisionDue(send, ctx.now)) return;
  const { metric } = send.experiment;
  const results = metric === 'MANUAL' ? [] : await countByVersion(ctx.db, send, metric);
  await settle(ctx, send, bestOf(results));
}

export const isDecisionDue = ({ experiment, winner, decidesAt }: SendRow, nowSeconds: number) =>
  experiment !== null && winner === null && decidesAt !== null && decidesAt <= nowSeconds;

type Result = { variant: number; sent: number; people: number };

/** The version with the highest open or click rate. The first one wins a tie. */
export function bestOf(results: readonly Result[]): number {
  const share = ({ sent, people }: Result) => (sent === 0 ? 0 : people / sent);
  const [best] = [...results].sort((a, b) => share(b) - share(a) || a.variant - b.variant);
  return best && share(best) > 0 ? best.variant : 0;
}

async function settle(ctx: Command, send: SendRow, winner: number): Promise<void> {
  await releaseRemaining(ctx.db, send, winner);
  await emitSend(ctx, 'newsletter.decided', send);
  await ctx.publish(deliveringSubject(send.businessId));
}
