import { type Collection, isSoukError } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, SelectField, TextField } from '../../parts/form.tsx';
import { forget, useAction, useLoad } from '../../parts/load.ts';
import { PersonalData } from '../../parts/personal-data.tsx';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { dateTime, StatusBadge } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Billing } from './billing.tsx';

type Props = { newsletter: Collection; id: string; email: string; close: () => void };

/** One subscriber: what they agreed to, their name and plan, and the end of it. */
export function SubscriberDialog({ newsletter, id, email, close }: Props) {
  const { newsletters } = souk;
  const subscriber = useLoad(`subscriber ${id}`, (signal) => newsletters.getSubscriber(newsletter.id, id, { signal }));
  const [changes, setChanges] = useState<{ name?: string; planId?: string }>({});
  const change = useAction(async (body: Parameters<typeof newsletters.updateSubscriber>[2]) => {
    await newsletters.updateSubscriber(newsletter.id, id, body);
    forget(`list subscribers ${newsletter.id}`);
    toast(t('parts.saved'));
    close();
  });
  const cancel = useAction(async (cancelAtPeriodEnd: boolean) => {
    subscriber.set(await newsletters.updateSubscriber(newsletter.id, id, { cancelAtPeriodEnd }));
    toast(t('parts.saved'));
  });
  const remove = useAction(async () => {
    await newsletters.deleteSubscriber(newsletter.id, id);
    forget(`list subscribers ${newsletter.id}`);
    toast(t('parts.deleted', { name: email }));
    close();
  });
  const { data } = subscriber;
  const isMine = can('SUBSCRIBER_WRITE');
  return (
    <Dialog title={email} close={close}>
      <Problem error={subscriber.error ?? change.error ?? cancel.error ?? remove.error} fields />
      {data && (
        <Form submit={() => change.run(changes)} busy={change.isBusy}>
          <p>
            <StatusBadge status={data.status} />
          </p>
          <Consent newsletterId={newsletter.id} id={id} />
          {data.billing && (
            <Billing
              newsletterId={newsletter.id}
              id={id}
              billing={data.billing}
              setCancelled={(cancelAtPeriodEnd) => cancel.run(cancelAtPeriodEnd)}
            />
          )}
          <TextField
            label={t('newsletters.personName')}
            value={changes.name ?? data.name}
            onInput={(name) => setChanges({ ...changes, name })}
            problem={problemOf(change.error, 'name')}
            disabled={!isMine}
          />
          <SelectField
            label={t('newsletters.plan')}
            value={changes.planId ?? data.planId}
            options={newsletter.plans.map((plan) => [plan.id, plan.name])}
            onInput={(planId) => setChanges({ ...changes, planId })}
            problem={problemOf(change.error, 'planId')}
            disabled={!isMine}
          />
          {isMine && (
            <div class="actions end">
              <button type="button" class="quiet" onClick={() => remove.run()}>
                {t('newsletters.deleteSubscriber')}
              </button>
              {data.status !== 'UNSUBSCRIBED' && (
                <button type="button" class="quiet" onClick={() => change.run({ status: 'UNSUBSCRIBED' })}>
                  {t('newsletters.unsubscribe')}
                </button>
              )}
              <button type="submit">{t('parts.save')}</button>
            </div>
          )}
        </Form>
      )}
      <PersonalData
        id={id}
        name={email}
        erased={() => {
          forget('list ');
          close();
        }}
      />
    </Dialog>
  );
}

function Consent({ newsletterId, id }: { newsletterId: string; id: string }) {
  const consent = useLoad(`consent ${id}`, (signal) =>
    souk.newsletters.getSubscriberConsent(newsletterId, id, { signal }).catch((error) => {
      if (isSoukError(error, 'NOT_FOUND')) return null;
      throw error;
    }),
  );
  const { data } = consent;
  return (
    <section class="notice" aria-label={t('newsletters.consent')}>
      {data === null && <p>{t('newsletters.noConsent')}</p>}
      {data && <p>{t('newsletters.consentBy', { source: data.source, time: dateTime(data.at) })}</p>}
      {data?.address && <p class="small">{t('newsletters.consentFrom', { address: data.address })}</p>}
      {data?.text && <p class="small">{data.text}</p>}
    </section>
  );
}
