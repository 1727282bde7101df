/** A delay in seconds, entered as a number and a unit. */
import { useState } from 'preact/hooks';
import { SelectField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { t } from '../../../text/index.ts';
import { UNITS, type Unit, unitOf } from './describe.ts';

type Props = { label: string; value: number; onInput: (seconds: number) => void; problem?: string | undefined };

export function DelayField({ label, value, onInput, problem }: Props) {
  const [chosen, setUnit] = useState<Unit | null>(null);
  const unit = chosen !== null && value % +chosen === 0 ? chosen : value === 0 ? '86400' : unitOf(value);
  return (
    <div class="delay">
      <NumberField
        label={label}
        value={value / +unit}
        onInput={(count) => onInput(Math.round((count ?? 0) * +unit))}
        problem={problem}
      />
      <SelectField
        label={t('automations.unit')}
        value={unit}
        options={UNITS.map((each) => [each, t(`automations.unit_${each}`)])}
        onInput={(next) => {
          setUnit(next);
          onInput((value / +unit) * +next);
        }}
      />
    </div>
  );
}
