/** The fields of one step. */
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { t } from '../../../text/index.ts';
import type { Filter } from '../segments/filter.ts';
import { FilterEditor } from '../segments/filter-editor.tsx';
import { DelayField } from './delay-field.tsx';
import type { Step } from './describe.ts';
import { MailFields } from './mail-fields.tsx';

type Props = {
  step: Step;
  collectionId: string;
  onInput: (step: Step) => void;
  problem: (field: string) => string | undefined;
};

export function StepFields({ step, collectionId, onInput, problem }: Props) {
  const set = (fields: Partial<Step>) => onInput({ ...step, ...fields });
  return (
    <>
      <DelayField
        label={t('automations.delay')}
        value={step.delaySeconds}
        onInput={(delaySeconds) => set({ delaySeconds })}
        problem={problem('delaySeconds')}
      />
      {step.type === 'MAIL' && (
        <MailFields
          collectionId={collectionId}
          value={step.entryId ?? ''}
          onInput={(entryId) => set({ entryId })}
          problem={problem('entryId')}
        />
      )}
      {step.type === 'TAG' && (
        <div class="pair">
          <SelectField
            label={t('automations.action')}
            value={step.remove ? 'remove' : 'add'}
            options={(['add', 'remove'] as const).map((each) => [each, t(`automations.${each}`)])}
            onInput={(chosen) => set({ remove: chosen === 'remove' })}
          />
          <TextField
            label={t('automations.tag')}
            required
            value={step.tag ?? ''}
            onInput={(tag) => set({ tag })}
            problem={problem('tag')}
          />
        </div>
      )}
      {step.type === 'CONDITION' && (
        <>
          <p class="hint flow-hint">{t('automations.conditionHint')}</p>
          <FilterEditor
            value={(step.filter ?? null) as Filter | null}
            onChange={(filter) => set({ filter: filter as never })}
            problemOf={problem}
          />
        </>
      )}
    </>
  );
}
