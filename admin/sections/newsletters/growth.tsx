/** The growth of a newsletter: people who joined and left, by day. */
import type { Growth } from '@souk/client';
import { useState } from 'preact/hooks';
import { Chart, type Days } from '../../parts/chart.tsx';
import { addDays, dayIn, startOf, today } from '../../parts/form/days.ts';
import { SelectField } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { number } from '../../parts/show.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { NewsletterFrame } from './frame.tsx';

const PERIODS = [30, 90, 365];

export default function GrowthPage({ id }: { id: string }) {
  const [count, setCount] = useState(30);
  const growth = useLoad(`growth ${id} ${count}`, (signal) => {
    const from = startOf(addDays(today(), 1 - count));
    return souk.newsletters.getGrowth(id, { query: { from }, signal });
  });
  return (
    <NewsletterFrame id={id} part="growth" actions={null}>
      {() => (
        <Section title={t('stats.growth')}>
          <SelectField
            label={t('stats.period')}
            value={String(count)}
            options={PERIODS.map((each) => [String(each), t('stats.lastDays', { count: each })])}
            onInput={(next) => setCount(Number(next))}
          />
          <Problem error={growth.error} retry={growth.reload} />
          {growth.data ? <Summary growth={growth.data} count={count} /> : !growth.error && <SkeletonRows count={4} />}
        </Section>
      )}
    </NewsletterFrame>
  );
}

function Summary({ growth, count }: { growth: Growth; count: number }) {
  const sum = (name: 'joined' | 'confirmed' | 'left') => growth.days.reduce((total, day) => total + day[name], 0);
  const [confirmed, left] = [sum('confirmed'), sum('left')];
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{t('stats.active')}</dt>
          <dd class="number">{number(growth.active)}</dd>
        </div>
        {(['joined', 'confirmed', 'left'] as const).map((name) => (
          <div key={name}>
            <dt>{t(`stats.${name}`)}</dt>
            <dd class="number">{number(sum(name))}</dd>
          </div>
        ))}
      </dl>
      <Chart
        days={daysOf(growth, count)}
        currency={null}
        names={[t('stats.confirmed'), t('stats.left')]}
        label={t('stats.growthChart', { confirmed: number(confirmed), left: number(left), count })}
      />
    </>
  );
}

function daysOf({ days, timeZone, to }: Growth, count: number): Days {
  const found = new Map(days.map((day) => [dayIn(timeZone, day.at), day]));
  const last = dayIn(timeZone, to - 1);
  return Array.from({ length: count }, (_, i) => {
    const day = addDays(last, i + 1 - count);
    const { confirmed = 0, left = 0 } = found.get(day) ?? {};
    return { day, now: confirmed, previous: left };
  });
}
