/** Bars for these days, a line for those before; the same as a table for whoever does not see it. */
import { date, money } from '../../parts/show.tsx';
import { t } from '../../text/index.ts';
import type { Days } from './sales.tsx';

const WIDTH = 600;
const HEIGHT = 180;

export function Chart({ days, currency, label }: { days: Days; currency: string; label: string }) {
  const most = Math.max(1, ...days.flatMap(({ now, former }) => [now, former]));
  const step = WIDTH / days.length;
  const y = (amount: number) => HEIGHT - (amount / most) * (HEIGHT - 10);
  const line = days.map(({ former }, i) => `${(i + 0.5) * step},${y(former).toFixed(1)}`).join(' ');
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line key={part} class="chart-grid" x1="0" x2={WIDTH} y1={y(most * part)} y2={y(most * part)} />
        ))}
        {days.map(({ at, now }, i) => (
          <rect key={at} class="chart-now" x={i * step + 2} y={y(now)} width={step - 4} height={HEIGHT - y(now)} rx="2">
            <title>{`${date(at)}: ${money(now, currency)}`}</title>
          </rect>
        ))}
        <polyline class="chart-then" points={line} />
      </svg>
      <figcaption>
        <span class="key-now">{t('home.now')}</span>
        <span class="key-then">{t('home.former')}</span>
      </figcaption>
      <details>
        <summary>{t('home.asTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
        <section class="scroll" tabIndex={0} aria-label={t('home.asTable')}>
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('home.day')}</th>
                <th scope="col" class="number">
                  {t('home.now')}
                </th>
                <th scope="col" class="number">
                  {t('home.former')}
                </th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ at, now, former }) => (
                <tr key={at}>
                  <td>{date(at)}</td>
                  <td class="number">{money(now, currency)}</td>
                  <td class="number">{money(former, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
