/** The statistics of a send: people, links, the A/B test and sales. */
import type { Send, SendStats } from '@souk/client';
import { useAction, useLoad } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { entryName } from '../../../parts/records/sources.ts';
import { DateTime, dateTime, money, number, percent, StatusBadge } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type Path = { id: string; entryId: string; sendId: string };

export default function SendStatsPage({ id, entryId, sendId }: Path) {
  const send = useLoad(`send ${sendId}`, (signal) => souk.newsletters.getSend(entryId, sendId, { signal }));
  const entry = useLoad(`issue ${entryId}`, (signal) => souk.entries.get(entryId, { signal }));
  const stats = useLoad(`stats ${sendId}`, (signal) => souk.newsletters.getSendStats(entryId, sendId, { signal }));
  const reload = () => {
    send.reload();
    stats.reload();
  };
  return (
    <PageFrame
      title={entry.data ? t('stats.of', { issue: entryName(entry.data) }) : t('stats.title')}
      back={`/newsletters/${id}/${entryId}`}
    >
      <Problem error={send.error ?? stats.error} retry={reload} />
      {!(send.data && stats.data) && !send.error && !stats.error && <SkeletonRows count={5} />}
      {send.data && stats.data && (
        <>
          <p class="send-head">
            <StatusBadge status={send.data.status} isTask />{' '}
            <DateTime at={send.data.startedAt ?? send.data.scheduledAt} />
          </p>
          <Funnel stats={stats.data} />
          {send.data.experiment && <Test collectionId={id} send={send.data} stats={stats.data} chosen={reload} />}
          {stats.data.tracking.clicks && <Links links={stats.data.links} />}
          {stats.data.sales && <Sales sales={stats.data.sales} />}
        </>
      )}
    </PageFrame>
  );
}

const shareOf = (part: number, whole: number) => percent(whole === 0 ? 0 : Math.round((part / whole) * 10_000));

function Funnel({ stats }: { stats: SendStats }) {
  const { tracking, delivered, sent } = stats;
  const rows: [string, number, number | null, number?][] = [
    [t('newsletters.sent'), sent, null],
    [t('stats.delivered'), delivered, sent],
    ...(tracking.opens
      ? [[t('stats.opened'), stats.opened, delivered, stats.opens] as [string, number, number, number]]
      : []),
    ...(tracking.clicks
      ? [[t('stats.clicked'), stats.clicked, delivered, stats.clicks] as [string, number, number, number]]
      : []),
    [t('stats.unsubscribed'), stats.unsubscribed, delivered],
    [t('stats.bounced'), stats.bounced, null],
    [t('stats.complained'), stats.complained, delivered],
  ];
  return (
    <section class="sheet" aria-label={t('stats.title')}>
      <dl class="funnel">
        {rows.map(([name, count, whole, total]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{number(count)}</strong>
              {whole !== null && <span class="quiet">{shareOf(count, whole)}</span>}
              {total !== undefined && <span class="quiet small">{t('stats.total', { count: number(total) })}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type TestProps = { collectionId: string; send: Send; stats: SendStats; chosen: () => void };

function Test({ collectionId, send, stats, chosen }: TestProps) {
  const { winner, decidesAt, alternatives } = send.experiment!;
  const isContent = alternatives.length > 0;
  const { opens, clicks } = stats.tracking;
  const choose = useAction(async (variant: number) => {
    await souk.newsletters.chooseWinner(send.entryId, send.id, { variant });
    toast(t('stats.chosen'));
    chosen();
  });
  const canChoose = winner === null && send.status === 'SENDING' && can('NEWSLETTER_SEND');
  return (
    <Section title={t('stats.test')}>
      {canChoose && decidesAt !== null && <p class="hint">{t('stats.decides', { time: dateTime(decidesAt) })}</p>}
      <Problem error={choose.error} />
      <Scroll label={t('stats.test')}>
        <thead>
          <tr>
            <th scope="col">{t(isContent ? 'stats.version' : 'stats.subject')}</th>
            <Head name={t('stats.tested')} />
            {opens && <Head name={t('stats.openRate')} />}
            {clicks && <Head name={t('stats.rate')} />}
            <th scope="col">
              <span class="visually-hidden">{t('stats.winner')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {stats.variants.map(({ subject, entryId, sent, opened, clicked }, i) => (
            <tr key={i}>
              <td>{isContent ? <a href={href(`/newsletters/${collectionId}/${entryId}`)}>{subject}</a> : subject}</td>
              <td class="number">{number(sent)}</td>
              {opens && <td class="number">{shareOf(opened, sent)}</td>}
              {clicks && <td class="number">{shareOf(clicked, sent)}</td>}
              <td>
                {winner === i && <strong>{t('stats.winner')}</strong>}
                {canChoose && (
                  <button type="button" class="quiet" disabled={choose.isBusy} onClick={() => choose.run(i)}>
                    {t('stats.choose')}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Scroll>
    </Section>
  );
}

function Links({ links }: { links: SendStats['links'] }) {
  return (
    <Section title={t('stats.links')}>
      {links.length === 0 && <p class="quiet">{t('stats.noLinks')}</p>}
      {links.length > 0 && (
        <Scroll label={t('stats.links')}>
          <thead>
            <tr>
              <th scope="col">{t('stats.link')}</th>
              <Head name={t('stats.clicks')} />
            </tr>
          </thead>
          <tbody>
            {links.map(({ url, clicks }) => (
              <tr key={url}>
                <td class="break">
                  <a href={url} rel="noreferrer" target="_blank">
                    {url}
                  </a>
                </td>
                <td class="number">{number(clicks)}</td>
              </tr>
            ))}
          </tbody>
        </Scroll>
      )}
    </Section>
  );
}

function Sales({ sales }: { sales: NonNullable<SendStats['sales']> }) {
  return (
    <Section title={t('stats.sales')}>
      <p class="hint">{t('stats.salesHint')}</p>
      {sales.length === 0 && <p class="quiet">{t('stats.noSales')}</p>}
      {sales.length > 0 && (
        <Scroll label={t('stats.sales')}>
          <thead>
            <tr>
              <th scope="col">{t('stats.currency')}</th>
              {(['orders', 'gross', 'refunds', 'net'] as const).map((name) => (
                <Head key={name} name={t(`stats.${name}`)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sales.map(({ currency, orders, gross, refunds, net }) => (
              <tr key={currency}>
                <td>{currency.toUpperCase()}</td>
                <td class="number">{number(orders)}</td>
                <td class="number">{money(gross, currency)}</td>
                <td class="number">{money(refunds, currency)}</td>
                <td class="number">{money(net, currency)}</td>
              </tr>
            ))}
          </tbody>
        </Scroll>
      )}
    </Section>
  );
}

const Head = ({ name }: { name: string }) => (
  <th scope="col" class="number">
    {name}
  </th>
);

function Scroll({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields.
    <div class="scroll" role="group" tabIndex={0} aria-label={label}>
      <table class="plain-table">{children}</table>
    </div>
  );
}
