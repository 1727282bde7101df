import { type Collection, isSoukError, type SubscriberDetail } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { RecordNotices } from '../../../parts/editing/record-view.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { Form, SelectField, TagsField, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { PersonalData } from '../../../parts/personal-data.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { dateTime, StatusBadge } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { Billing } from './billing.tsx';
import { OwnFields } from './own-fields.tsx';

type Props = { newsletter: Collection; id: string; email: string; close: () => void };

type Values = { name: string; planId: string; tags: string[]; fields: Record<string, string> };

/** A subscriber with consent, name and plan. */
export function SubscriberDialog({ newsletter, id, email, close }: Props) {
  const { newsletters } = souk;
  const [detail, setDetail] = useState<SubscriberDetail>();
  const version = (read: SubscriberDetail & { etag?: string }) => {
    setDetail(read);
    const { name, planId, tags, fields } = read;
    return { values: { name, planId, tags, fields }, etag: read.etag };
  };
  const record = useRecord<Values>({
    key: `subscriber ${id}`,
    load: async (signal) => version(await newsletters.getSubscriber(newsletter.id, id, { signal })),
    save: async (changes, { ifMatch }) =>
      version(await newsletters.updateSubscriber(newsletter.id, id, changes, ifMatch ? { ifMatch } : {})),
    saved: () => finish(),
  });
  const finish = (news?: string) => {
    forget(`list subscribers ${newsletter.id}`);
    if (news) toast(news);
    close();
  };
  const ifMatch = () => (record.etag ? { ifMatch: record.etag } : {});
  const end = useAction(async () => {
    await newsletters.updateSubscriber(newsletter.id, id, { status: 'UNSUBSCRIBED' }, ifMatch());
    finish(t('parts.saved'));
  });
  const cancel = useAction(async (cancelAtPeriodEnd: boolean) => {
    await newsletters.updateSubscriber(newsletter.id, id, { cancelAtPeriodEnd }, ifMatch());
    record.reload();
    toast(t('parts.saved'));
  });
  const remove = useAction(async () => {
    await newsletters.deleteSubscriber(newsletter.id, id, ifMatch());
    finish(t('parts.deleted', { name: email }));
  });
  const isMine = can('SUBSCRIBER_WRITE');
  return (
    <Dialog title={email} close={close}>
      <RecordNotices
        record={record}
        names={{
          name: t('newsletters.personName'),
          planId: t('newsletters.plan'),
          tags: t('audience.tags'),
          fields: t('audience.fields'),
        }}
      />
      <Problem error={end.error ?? cancel.error ?? remove.error} fields />
      {record.values && (
        <Form submit={record.save} busy={record.isSaving}>
          {detail && (
            <p>
              <StatusBadge status={detail.status} />
              {detail.referrals > 0 && ` ${t('audience.referrals')}: ${detail.referrals}`}
            </p>
          )}
          <Consent newsletterId={newsletter.id} id={id} />
          {detail?.billing && (
            <Billing newsletterId={newsletter.id} id={id} billing={detail.billing} setCancelled={cancel.run} />
          )}
          <TextField label={t('newsletters.personName')} {...record.bind('name')} disabled={!isMine} />
          <SelectField
            label={t('newsletters.plan')}
            options={newsletter.plans.map((plan) => [plan.id, plan.name])}
            {...record.bind('planId')}
            disabled={!isMine}
          />
          <TagsField
            label={t('audience.tags')}
            hint={t('audience.tagsHint')}
            {...record.bind('tags')}
            disabled={!isMine}
          />
          <OwnFields {...record.bind('fields')} disabled={!isMine} />
          {isMine && (
            <div class="actions end">
              <button type="button" class="quiet" onClick={() => remove.run()}>
                {t('newsletters.deleteSubscriber')}
              </button>
              {detail?.status !== 'UNSUBSCRIBED' && (
                <button type="button" class="quiet" onClick={() => end.run()}>
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

const OWN_SOURCES = ['DOUBLE_OPT_IN', 'SUBSCRIBE', 'PAYMENT'] as const;

/** A source stated by a member or an import is shown as is. */
function sourceOf(source: string): string {
  const own = OWN_SOURCES.find((each) => each === source);
  return own ? t(`newsletters.consent_${own}`) : source;
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
      {data && <p>{t('newsletters.consentBy', { source: sourceOf(data.source), time: dateTime(data.at) })}</p>}
      {data?.address && <p class="small">{t('newsletters.consentFrom', { address: data.address })}</p>}
      {data?.text && <p class="small">{data.text}</p>}
    </section>
  );
}
