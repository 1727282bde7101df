/** Access to an issue. */
import type { Plan } from '@souk/client';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { CheckField, SelectField } from '../../parts/form/form.tsx';
import { t } from '../../text/index.ts';

type Values = { access: string; planIds: string[] };
type AccessProps = { record: Pick<FormRecord<Values>, 'bind' | 'set' | 'values'>; plans: readonly Plan[] };

export function Access({ record, plans }: AccessProps) {
  const { access, planIds } = record.values!;
  const { problem } = record.bind('planIds');
  const options = [
    ['PUBLIC', t('newsletters.accessPublic')],
    ['SUBSCRIBERS', t('newsletters.accessSubscribers')],
    ...(plans.length > 0 ? [['PLANS', t('newsletters.accessPlans')] as const] : []),
  ] as const;
  return (
    <>
      <SelectField
        label={t('newsletters.access')}
        hint={access === 'PUBLIC' ? undefined : t('newsletters.accessHint')}
        options={options}
        {...record.bind('access')}
      />
      {access === 'PLANS' && (
        <fieldset class="field">
          <legend>{t('newsletters.plans')}</legend>
          {plans.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              value={planIds.includes(id)}
              onInput={(isOn) => record.set('planIds', isOn ? [...planIds, id] : planIds.filter((each) => each !== id))}
            />
          ))}
          {problem && (
            <p class="field-error" role="alert">
              {problem}
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}
