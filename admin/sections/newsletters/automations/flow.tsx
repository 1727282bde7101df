/** The flow of an automation: the trigger, the steps with their delays, and the end. */
import type { AutomationCounts, Collection } from '@souk/client';
import { useRef } from 'preact/hooks';
import { number } from '../../../parts/show.tsx';
import { focusMoved, focusSoon } from '../../../shell/focus.ts';
import { t } from '../../../text/index.ts';
import { emptyFilter } from '../segments/filter.ts';
import { countsText, delayText, type Step, type Trigger } from './describe.ts';
import { StepFields } from './step-fields.tsx';
import { TriggerFields } from './trigger-fields.tsx';

type Props = {
  trigger: Trigger;
  steps: Step[];
  newsletters: readonly Collection[];
  counts: AutomationCounts | undefined;
  problem: (field: string) => string | undefined;
  setTrigger: (trigger: Trigger) => void;
  setSteps: (steps: Step[]) => void;
};

const MAX_STEPS = 50;
const TYPES = ['MAIL', 'TAG', 'CONDITION'] as const;
const ADD = { MAIL: 'automations.addMail', TAG: 'automations.addTag', CONDITION: 'automations.addCondition' } as const;

/** The ID lets people in the automation keep their place. */
function newStep(type: Step['type']): Step {
  const base = { id: crypto.randomUUID(), type, delaySeconds: 0 };
  if (type === 'CONDITION') return { ...base, filter: emptyFilter() } as Step;
  return type === 'TAG' ? { ...base, tag: '' } : { ...base, entryId: '' };
}

export function Flow({ trigger, steps, newsletters, counts, problem, setTrigger, setSteps }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const replace = (at: number, step: Step) => setSteps(steps.map((each, i) => (i === at ? step : each)));
  const move = (at: number, by: number) => {
    const next = [...steps];
    next.splice(at + by, 0, ...next.splice(at, 1));
    setSteps(next);
    focusMoved(list.current, at + by, by < 0 ? 'up' : 'down');
  };
  const append = (type: Step['type']) => {
    setSteps([...steps, newStep(type)]);
    focusSoon(() => list.current?.children[steps.length]?.querySelector<HTMLElement>('input, select'));
  };
  return (
    <div class="flow">
      <section class="sheet flow-trigger" aria-label={t('automations.trigger')}>
        <header>
          <h2>{t('automations.trigger')}</h2>
        </header>
        <TriggerFields value={trigger} onInput={setTrigger} newsletters={newsletters} problem={problem} />
      </section>
      <ol ref={list} class="flow-steps">
        {steps.map((step, i) => (
          <li key={step.id}>
            <p class="flow-delay">{delayText(step.delaySeconds)}</p>
            <fieldset class="sheet card">
              <legend>
                {i + 1}. {t(`automations.${step.type}`)}
              </legend>
              <div class="card-actions">
                <Icon text="↑" label="moveItemUp" number={i + 1} off={i === 0} run={() => move(i, -1)} moves="up" />
                <Icon
                  text="↓"
                  label="moveItemDown"
                  number={i + 1}
                  off={i === steps.length - 1}
                  run={() => move(i, 1)}
                  moves="down"
                />
                <Icon
                  text="×"
                  label="removeItem"
                  number={i + 1}
                  run={() => setSteps(steps.filter((_, at) => at !== i))}
                />
              </div>
              <Counts step={step} counts={counts} />
              <StepFields
                step={step}
                collectionId={trigger.collectionId}
                onInput={(next) => replace(i, next)}
                problem={(field) => problem(`steps[${i}].${field}`)}
              />
            </fieldset>
          </li>
        ))}
      </ol>
      {steps.length === 0 && <p class="quiet flow-note">{t('automations.noSteps')}</p>}
      {steps.length < MAX_STEPS && (
        <div class="actions flow-add">
          {TYPES.map((type) => (
            <button key={type} type="button" class="quiet" onClick={() => append(type)}>
              <span aria-hidden="true">+ </span>
              {t(ADD[type])}
            </button>
          ))}
        </div>
      )}
      {steps.length > 0 && (
        <div class="flow-end">
          <p>{t('automations.end')}</p>
          {counts && (
            <p class="quiet small">
              {t('automations.completed')}: {number(counts.completed)} · {t('automations.left')}:{' '}
              {number(counts.exited)}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function Counts({ step, counts }: { step: Step; counts: AutomationCounts | undefined }) {
  const text = countsText(
    step,
    counts?.steps.find(({ stepId }) => stepId === step.id),
  );
  return text ? <p class="flow-counts small">{text}</p> : null;
}

type IconProps = {
  text: string;
  label: 'moveItemUp' | 'moveItemDown' | 'removeItem';
  number: number;
  run: () => void;
  off?: boolean;
  moves?: 'up' | 'down';
};

function Icon({ text, label, number: step, run, off = false, moves }: IconProps) {
  const name = t(`parts.${label}`, { name: t('automations.stepNumber', { number: step }) });
  return (
    <button type="button" class="icon" data-move={moves} aria-label={name} title={name} disabled={off} onClick={run}>
      {text}
    </button>
  );
}
