import { CheckField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';

type Props = {
  isEnabled: Parameters<typeof CheckField>[0];
  hours: Parameters<typeof NumberField>[0];
};

/** Reminders about carts that customers left behind. */
export function CartReminder({ isEnabled, hours }: Props) {
  return (
    <Section title={t('mails.cartReminder')}>
      <p class="quiet">{t('mails.cartReminderText')}</p>
      <CheckField {...isEnabled} />
      {isEnabled.value && <NumberField {...hours} />}
    </Section>
  );
}
