/** Shown in place of records while they load, or when there are none. */
import type { ComponentChildren } from 'preact';
import { t } from '../text/index.ts';

export function EmptyState(props: { title: string; text: string; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.action}
    </div>
  );
}

export const SkeletonRows = ({ count = 8 }: { count?: number }) => (
  <div class="skeleton-rows">
    <span class="visually-hidden">{t('parts.loading')}</span>
    {Array.from({ length: count }, (_, i) => (
      <div key={i} class="skeleton" />
    ))}
  </div>
);
