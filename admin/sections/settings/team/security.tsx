/** The authentication that the business requires of its members. */
import { CheckField } from '../../../parts/form/form.tsx';
import { MoneyField, NumberField } from '../../../parts/form/number-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { useBusiness } from '../business/use-business.ts';

type Values = {
  requireSecondFactor: boolean;
  gracePeriodDays: number | null;
  stepUp: boolean;
  stepUpAbove: number | null;
};

const SUGGESTED_DAYS = 7;

export default function Page() {
  const record = useBusiness<Values>({
    name: 'security',
    read: ({ configs: { security = {} } }) => ({
      requireSecondFactor: security.requireSecondFactor ?? false,
      gracePeriodDays: security.gracePeriodDays ?? (security.requireSecondFactor ? 0 : SUGGESTED_DAYS),
      stepUp: security.stepUp ?? security.stepUpAbove !== undefined,
      stepUpAbove: security.stepUpAbove ?? null,
    }),
    write: ({ requireSecondFactor, gracePeriodDays, stepUp, stepUpAbove }) => ({
      configs: {
        security: {
          requireSecondFactor,
          ...(gracePeriodDays === null ? {} : { gracePeriodDays }),
          stepUp,
          ...(stepUpAbove === null ? {} : { stepUpAbove }),
        },
      },
    }),
  });
  const names = {
    requireSecondFactor: t('security.require'),
    gracePeriodDays: t('security.grace'),
    stepUp: t('security.askAgain'),
    stepUpAbove: t('security.refundsUpTo'),
  };
  const currency = business.value?.configs.markets?.[0]?.currency ?? 'USD';
  return (
    <PartForm path="security" record={record} names={names}>
      {(values) => (
        <>
          <Section title={t('security.policy')}>
            <CheckField
              label={names.requireSecondFactor}
              hint={t('security.requireHint')}
              {...record.bind('requireSecondFactor')}
            />
            {values.requireSecondFactor && (
              <NumberField
                label={names.gracePeriodDays}
                hint={t('security.graceHint')}
                suffix={t('security.days')}
                {...record.bind('gracePeriodDays', 'configs.security.gracePeriodDays')}
              />
            )}
          </Section>
          <Section title={t('security.sensitive')}>
            <CheckField label={names.stepUp} hint={t('security.askAgainHint')} {...record.bind('stepUp')} />
            {values.stepUp && (
              <MoneyField
                label={names.stepUpAbove}
                hint={t('security.refundsUpToHint')}
                currency={currency}
                {...record.bind('stepUpAbove', 'configs.security.stepUpAbove')}
              />
            )}
          </Section>
        </>
      )}
    </PartForm>
  );
}
