/** The number of people who match a filter, updated while it is edited. */
import { useEffect, useState } from 'preact/hooks';
import { noteUnreachable } from '../../../parts/load.ts';
import { number } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { type Filter, isComplete, toGroup } from './filter.ts';

const TYPING_MS = 300;

export function FilterCount({ filter }: { filter: Filter | null }) {
  const key = filter !== null && isComplete(toGroup(filter)) ? JSON.stringify(filter) : null;
  const [state, setState] = useState<{ key: string; count: number | null } | null>(null);
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      souk.newsletters.countPeople({ filter: JSON.parse(key) }, { signal: controller.signal }).then(
        ({ count }) => setState({ key, count }),
        (error) => {
          if (controller.signal.aborted) return;
          noteUnreachable(error);
          setState({ key, count: null });
        },
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  const isCounted = key !== null && state?.key === key;
  return (
    <p class="segment-count" role="status" aria-busy={(key !== null && !isCounted) || undefined}>
      {key === null && t('segments.incomplete')}
      {key !== null && !isCounted && t('segments.counting')}
      {isCounted && state.count === null && '–'}
      {isCounted &&
        state.count !== null &&
        t('segments.count', { count: state.count }).replace(String(state.count), number(state.count))}
    </p>
  );
}
