/** Bars for a period, a line for the comparison period, and the same figures as a table. */
import { locale, t } from '../text/index.ts';
import { money, number, shortMoney } from './show.tsx';

const WIDTH = 600;
const HEIGHT = 180;
const TICKS = 4;
/** The number of labels, from the first bar to the last. */
const LABELS = 5;

/** `day` such as `2026-11-17`. */
export type Days = { day: string; now: number; previous: number }[];
/** The data of a bar. `day` is its first day. */
export type Unit = 'day' | 'week' | 'month';

const FORMATS: Record<'short' | 'long' | 'month', Intl.DateTimeFormatOptions> = {
  short: { day: 'numeric', month: 'short' },
  long: { dateStyle: 'long' },
  month: { month: 'short', year: 'numeric' },
};

export const dayText = (day: string, style: keyof typeof FORMATS) =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...FORMATS[style] }).format(Date.parse(day));

/** The smallest round step whose ticks reach `max`: 1, 2, 2.5 or 5 times a power of ten. */
function stepOf(max: number): number {
  const min = Math.max(1, max / TICKS);
  const power = 10 ** Math.floor(Math.log10(min));
  return power * ([1, 2, 2.5, 5].find((each) => each * power >= min) ?? 10);
}

type Props = {
  days: Days;
  unit?: Unit;
  /** Null if the figures are not amounts. */
  currency: string | null;
  label: string;
  /** The names of the two periods. Without the second, there is no comparison. */
  names: [now: string, previous: string | null];
};

export function Chart({ days, unit = 'day', currency, label, names: [name, nameBefore] }: Props) {
  const show = (figure: number) => (currency === null ? number(figure) : money(figure, currency));
  const showShort = (figure: number) => (currency === null ? number(figure) : shortMoney(figure, currency));
  const long = unit === 'month' ? 'month' : 'long';
  const last = days.length - 1;
  const between = last / Math.min(LABELS - 1, last);
  const labels = Array.from({ length: Math.min(LABELS, days.length) }, (_, i) => Math.round(i * between) || 0);
  const highest = Math.max(...days.flatMap(({ now, previous }) => [now, previous]));
  const tick = stepOf(highest);
  const top = tick * TICKS;
  const step = WIDTH / days.length;
  const y = (amount: number) => HEIGHT - (Math.max(0, amount) / top) * HEIGHT;
  const line = days.map(({ previous }, i) => `${(i + 0.5) * step},${y(previous).toFixed(1)}`).join(' ');
  // Without figures, any scale would be made up.
  const ticks = highest > 0 ? Array.from({ length: TICKS + 1 }, (_, i) => (TICKS - i) * tick) : [0];
  return (
    <figure class="chart">
      <div class="chart-plot">
        <div class="chart-y" aria-hidden="true">
          {ticks.map((amount) => (
            <span key={amount}>{showShort(amount)}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
          {ticks.map((amount) => (
            <line key={amount} class="chart-grid" x1="0" x2={WIDTH} y1={y(amount)} y2={y(amount)} />
          ))}
          {days.map(({ day, now }, i) => (
            <rect
              key={day}
              class="chart-now"
              x={i * step + 2}
              y={y(now)}
              width={step - 4}
              height={HEIGHT - y(now)}
              rx="2"
            >
              <title>{`${dayText(day, long)}: ${show(now)}`}</title>
            </rect>
          ))}
          {nameBefore && <polyline class="chart-then" points={line} />}
        </svg>
        <div class="chart-x" aria-hidden="true">
          {labels.map((i) => (
            <span key={i} style={`--share: ${i / Math.max(1, last)}`}>
              {dayText(days[i]!.day, unit === 'month' ? 'month' : 'short')}
            </span>
          ))}
        </div>
      </div>
      <figcaption>
        <span class="key-now">{name}</span>
        {nameBefore && <span class="key-then">{nameBefore}</span>}
      </figcaption>
      <details>
        <summary>{t('parts.asTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
        <section class="scroll" tabIndex={0} aria-label={t('parts.asTable')}>
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">{t(`parts.${unit}`)}</th>
                <th scope="col" class="number">
                  {name}
                </th>
                {nameBefore && (
                  <th scope="col" class="number">
                    {nameBefore}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, now, previous }) => (
                <tr key={day}>
                  <td>{dayText(day, long)}</td>
                  <td class="number">{show(now)}</td>
                  {nameBefore && <td class="number">{show(previous)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
