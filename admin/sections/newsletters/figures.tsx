/** What happened after an issue was sent: people, links, the A/B test and sales. */
import type { Send, SendFigures } from '@souk/client';
import { useAction, useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DateTime, dateTime, money, number, percent, StatusBadge } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

type Path = { id: string; entryId: string; sendId: string };

export default function FiguresPage({ id, entryId, sendId }: Path) {
  const send = useLoad(`send ${sendId}`, (signal) => souk.newsletters.getSend(entryId, sendId, { signal }));
  const figures = useLoad(`figures ${sendId}`, (signal) =>
    souk.newsletters.getSendFigures(entryId, sendId, { signal }),
  );
  const reload = () => {
    send.reload();
    figures.reload();
  };
  return (
    <PageFrame title={t('figures.title')} back={`/newsletters/${id}/${entryId}`}>
      <Problem error={send.error ?? figures.error} retry={reload} />
      {!(send.data && figures.data) && !send.error && !figures.error && <SkeletonRows count={5} />}
      {send.data && figures.data && (
        <>
          <p class="send-head">
            <StatusBadge status={send.data.status} isTask />{' '}
            <DateTime at={send.data.startedAt ?? send.data.scheduledAt} />
          </p>
          <Funnel figures={figures.data} />
          {send.data.experiment && <Test collectionId={id} send={send.data} figures={figures.data} chosen={reload} />}
          {figures.data.tracking.clicks && <Links links={figures.data.links} />}
          {figures.data.sales && <Sales sales={figures.data.sales} />}
        </>
      )}
    </PageFrame>
  );
}

const shareOf = (part: number, whole: number) => percent(whole === 0 ? 0 : Math.round((part / whole) * 10_000));

function Funnel({ figures }: { figures: SendFigures }) {
  const { tracking, delivered, sent } = figures;
  const rows: [string, number, number | null, number?][] = [
    [t('newsletters.sent'), sent, null],
    [t('figures.delivered'), delivered, sent],
    ...(tracking.opens
      ? [[t('figures.opened'), figures.opened, delivered, figures.opens] as [string, number, number, number]]
      : []),
    ...(tracking.clicks
      ? [[t('figures.clicked'), figures.clicked, delivered, figures.clicks] as [string, number, number, number]]
      : []),
    [t('figures.unsubscribed'), figures.unsubscribed, delivered],
    [t('figures.bounced'), figures.bounced, null],
    [t('figures.complained'), figures.complained, delivered],
  ];
  return (
    <section class="sheet" aria-label={t('figures.title')}>
      <dl class="funnel">
        {rows.map(([name, count, whole, total]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{number(count)}</strong>
              {whole !== null && <span class="quiet">{shareOf(count, whole)}</span>}
              {total !== undefined && <span class="quiet small">{t('figures.total', { count: number(total) })}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type TestProps = { collectionId: string; send: Send; figures: SendFigures; chosen: () => void };

function Test({ collectionId, send, figures, chosen }: TestProps) {
  const { winner, decidesAt, alternatives } = send.experiment!;
  const isContent = alternatives.length > 0;
  const { opens, clicks } = figures.tracking;
  const choose = useAction(async (variant: number) => {
    await souk.newsletters.chooseWinner(send.entryId, send.id, { variant });
    toast(t('figures.chosen'));
    chosen();
  });
  const canChoose = winner === null && send.status === 'SENDING' && can('NEWSLETTER_SEND');
  return (
    <Section title={t('figures.test')}>
      {canChoose && decidesAt !== null && <p class="hint">{t('figures.decides', { time: dateTime(decidesAt) })}</p>}
      <Problem error={choose.error} />
      <Scroll label={t('figures.test')}>
        <thead>
          <tr>
            <th scope="col">{t(isContent ? 'figures.version' : 'figures.subject')}</th>
            <Head name={t('figures.tested')} />
            {opens && <Head name={t('figures.openRate')} />}
            {clicks && <Head name={t('figures.rate')} />}
            <th scope="col">
              <span class="visually-hidden">{t('figures.winner')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.variants.map(({ subject, entryId, sent, opened, clicked }, i) => (
            <tr key={i}>
              <td>{isContent ? <a href={href(`/newsletters/${collectionId}/${entryId}`)}>{subject}</a> : subject}</td>
              <td class="number">{number(sent)}</td>
              {opens && <td class="number">{shareOf(opened, sent)}</td>}
              {clicks && <td class="number">{shareOf(clicked, sent)}</td>}
              <td>
                {winner === i && <strong>{t('figures.winner')}</strong>}
                {canChoose && (
                  <button type="button" class="quiet" disabled={choose.isBusy} onClick={() => choose.run(i)}>
                    {t('figures.choose')}
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

function Links({ links }: { links: SendFigures['links'] }) {
  return (
    <Section title={t('figures.links')}>
      {links.length === 0 && <p class="quiet">{t('figures.noLinks')}</p>}
      {links.length > 0 && (
        <Scroll label={t('figures.links')}>
          <thead>
            <tr>
              <th scope="col">{t('figures.link')}</th>
              <Head name={t('figures.clicks')} />
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

function Sales({ sales }: { sales: NonNullable<SendFigures['sales']> }) {
  return (
    <Section title={t('figures.sales')}>
      <p class="hint">{t('figures.salesHint')}</p>
      {sales.length === 0 && <p class="quiet">{t('figures.noSales')}</p>}
      {sales.length > 0 && (
        <Scroll label={t('figures.sales')}>
          <thead>
            <tr>
              <th scope="col">{t('figures.currency')}</th>
              {(['orders', 'gross', 'refunds', 'net'] as const).map((name) => (
                <Head key={name} name={t(`figures.${name}`)} />
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
