/** Triggers, steps and delays as text. */
import type { Automation, AutomationCounts } from '@souk/client';
import { number } from '../../../parts/show.tsx';
import { type TextKey, t } from '../../../text/index.ts';

export type Trigger = Automation['trigger'];
export type Step = Automation['steps'][number];
type StepCounts = AutomationCounts['steps'][number];

export const TRIGGERS = [
  'subscription.confirmed',
  'order.paid',
  'cart.abandoned',
  'tag.added',
  'date',
  'plan.ended',
] as const satisfies readonly Trigger['type'][];

const keyOf = (type: Trigger['type']) => type.replace('.', '_');
export const triggerText = (type: Trigger['type']) => t(`automations.type_${keyOf(type)}` as TextKey);
export const triggerHint = (type: Trigger['type']) => t(`automations.hint_${keyOf(type)}` as TextKey);

export const UNITS = ['60', '3600', '86400', '604800'] as const;
export type Unit = (typeof UNITS)[number];

/** The largest unit that divides the delay evenly. */
export const unitOf = (seconds: number): Unit =>
  [...UNITS].reverse().find((unit) => seconds >= +unit && seconds % +unit === 0) ?? '60';

export function delayText(seconds: number): string {
  if (seconds === 0) return t('automations.after_0');
  const unit = unitOf(seconds);
  return t(`automations.after_${unit}`, { count: Math.round(seconds / +unit) });
}

/** `12 waiting · 300 sent`, without zeros. */
export function countsText(step: Step, counts: StepCounts | undefined): string {
  if (!counts) return '';
  const names =
    step.type === 'MAIL' ? (['waiting', 'sent', 'failed'] as const) : (['waiting', 'done', 'exited'] as const);
  return names
    .filter((name) => counts[name] > 0)
    .map((name) =>
      t(`automations.${name}`, { count: counts[name] }).replace(String(counts[name]), number(counts[name])),
    )
    .join(' · ');
}
