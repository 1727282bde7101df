import type { Collection } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { DateField } from '../../../parts/form/number-fields.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** Adds a subscriber, with the consent stated by the member. */
export function AddSubscriber({ newsletter, close }: { newsletter: Collection; close: () => void }) {
  const { id, plans } = newsletter;
  const [values, setValues] = useState({
    email: '',
    name: '',
    planId: (plans.find(({ price }) => !price?.amount) ?? plans[0])?.id ?? '',
    source: '',
    at: Math.floor(Date.now() / 1000) as number | null,
  });
  const set = <K extends keyof typeof values>(name: K) => ({
    value: values[name],
    onInput: (value: (typeof values)[K]) => setValues((before) => ({ ...before, [name]: value })),
  });
  const add = useAction(async () => {
    const { email, name, planId, source, at } = values;
    const subscriber = await souk.newsletters.createSubscriber(id, {
      email: email.trim(),
      ...(planId ? { planId } : {}),
      ...(name.trim() ? { name: name.trim() } : {}),
      consent: { source, at: at ?? 0 },
    });
    forget(`list subscribers ${id}`);
    toast(t(subscriber.status === 'PENDING' ? 'newsletters.addedPending' : 'newsletters.added', { email }));
    close();
  });
  return (
    <Dialog title={t('newsletters.addSubscriber')} close={close}>
      <Form submit={() => add.run()} busy={add.isBusy}>
        <Problem error={add.error} fields />
        <TextField
          label={t('newsletters.email')}
          type="email"
          required
          {...set('email')}
          problem={problemOf(add.error, 'email')}
        />
        <TextField
          label={optional(t('newsletters.personName'))}
          {...set('name')}
          problem={problemOf(add.error, 'name')}
        />
        {plans.length > 1 && (
          <SelectField
            label={t('newsletters.plan')}
            options={plans.map((plan) => [plan.id, plan.name])}
            {...set('planId')}
            problem={problemOf(add.error, 'planId')}
          />
        )}
        <TextField
          label={t('newsletters.consentSource')}
          hint={t('newsletters.consentHint')}
          required
          {...set('source')}
          problem={problemOf(add.error, 'consent.source')}
        />
        <DateField
          label={t('newsletters.consentAt')}
          withTime
          {...set('at')}
          problem={problemOf(add.error, 'consent.at')}
        />
        <div class="actions end">
          <button type="submit">{t('parts.add')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
