/** The settings for returns. */
import { TextField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = { periodDays: number | null; instructions: string; address: string };

const DEFAULT_DAYS = 14;

export default function Page() {
  const record = useBusiness<Values>({
    name: 'returns',
    read: ({ configs: { returns = {} } }) => ({
      periodDays: returns.periodDays ?? DEFAULT_DAYS,
      instructions: returns.instructions ?? '',
      address: returns.address ?? '',
    }),
    write: ({ periodDays, instructions, address }) => ({
      configs: {
        returns: {
          ...(periodDays === null ? {} : { periodDays }),
          ...(instructions.trim() ? { instructions } : {}),
          ...(address.trim() ? { address } : {}),
        },
      },
    }),
  });
  const names = {
    periodDays: t('returns.period'),
    instructions: t('returns.settingsInstructions'),
    address: t('returns.address'),
  };
  return (
    <PartForm path="returns" record={record} names={names}>
      {() => (
        <Section title={t('returns.settings')}>
          <NumberField
            label={names.periodDays}
            hint={t('returns.periodHint')}
            suffix={t('returns.days')}
            {...record.bind('periodDays', 'configs.returns.periodDays')}
          />
          <TextField
            label={names.instructions}
            hint={t('returns.settingsInstructionsHint')}
            multiline
            {...record.bind('instructions', 'configs.returns.instructions')}
          />
          <TextField label={names.address} multiline rows={3} {...record.bind('address', 'configs.returns.address')} />
        </Section>
      )}
    </PartForm>
  );
}
