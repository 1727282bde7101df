import { fill } from '../../../shared/mail/template.ts';
import { may } from '../../../shared/security/caller.ts';
import { listSendSales } from '../../orders/index.ts';
import type { Query } from '../context.ts';
import { getSendView, type SendPath } from '../sends/read-send.ts';
import type { Experiment, SendView } from '../sends/send-queries.ts';
import { alternativesOf } from '../sends/versions.ts';
import { findLinks } from './hit-queries.ts';
import { OPEN } from './hits.ts';
import type { SendStats } from './schemas.ts';
import { countPeople, type HitCount, listHits, listSubjects, type PeopleRow } from './stats-queries.ts';

const PEOPLE = ['sent', 'delivered', 'bounced', 'complained', 'unsubscribed', 'opened', 'clicked'] as const;

/** Send statistics. */
export async function readSendStats(ctx: Query, path: SendPath): Promise<SendStats> {
  const { replica: db, businessId, caller } = ctx;
  const send = await getSendView(ctx, path);
  const [people, hits, links, sales] = await Promise.all([
    countPeople(db, send),
    listHits(db, send),
    findLinks(db, businessId, send.id),
    may(caller, businessId, 'ORDER_READ') ? listSendSales(db, businessId, send.id) : null,
  ]);
  const { experiment, tracking } = send;
  return {
    tracking: tracking ?? { opens: false, clicks: false },
    ...sumPeople(people),
    ...sumHits(hits),
    links: (links ?? [])
      .map((url, i) => ({ url, clicks: sumHits(hits.filter(({ link }) => link === i)).clicks }))
      .sort((a, b) => b.clicks - a.clicks),
    variants: (experiment ? await listVersions(ctx, send, experiment) : []).map(({ subject, entryId }, i) => {
      const { sent, opened, clicked } = sumPeople(people.filter(({ variant }) => variant === i));
      return { subject, entryId, sent, opened, clicked, ...sumHits(hits.filter(({ variant }) => variant === i)) };
    }),
    sales: sales && [...sales],
  };
}

async function listVersions({ db }: Query, send: SendView, experiment: Experiment) {
  const { subjects } = experiment;
  if (subjects.length > 0) return subjects.map((subject) => ({ subject, entryId: send.entryId }));
  const templates = await listSubjects(db, send);
  return [send.entryId, ...alternativesOf(experiment)].map((entryId, i) => ({
    subject: fill(templates[i] ?? [], (variable) => `{{${variable}}}`),
    entryId,
  }));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const sumPeople = (rows: readonly PeopleRow[]) =>
  Object.fromEntries(PEOPLE.map((name) => [name, sum(rows.map((row) => row[name]))])) as Omit<PeopleRow, 'variant'>;

const sumHits = (hits: readonly HitCount[]) => ({
  opens: sum(hits.filter(({ link }) => link === OPEN).map(({ count }) => count)),
  clicks: sum(hits.filter(({ link }) => link !== OPEN).map(({ count }) => count)),
});
