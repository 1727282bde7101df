import type { Collection, CollectionSettings, Plan } from '@souk/client';
import { useState } from 'preact/hooks';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../parts/form.tsx';
import { forget } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { type FormRecord, RecordNotices, SaveBar, useRecord } from '../../parts/record.tsx';
import { statusText } from '../../parts/show.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Plans } from './plans.tsx';

const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
type Status = (typeof STATUSES)[number];

type Values = {
  name: string;
  slug: string;
  description: string;
  status: Status;
  doubleOptIn: boolean;
  fromName: string;
  replyTo: string;
  onUnknown: 'RETRY' | 'HOLD';
  plans: Plan[];
};

const EMPTY: Values = {
  name: '',
  slug: '',
  description: '',
  status: 'PUBLISHED',
  doubleOptIn: true,
  fromName: '',
  replyTo: '',
  onUnknown: 'RETRY',
  plans: [{ id: 'free', name: 'Free' }],
};

/** What an issue consists of. */
const BLOCKS = [
  { id: 'subject', type: 'TEXT' as const, label: 'Subject', required: true, settings: { maxLength: 200 } },
  { id: 'body', type: 'TEXT' as const, label: 'Text', required: true, settings: { variant: 'HTML' } },
];

const toForm = ({ name, slug, description, statuses, settings, plans }: Collection): Values => ({
  ...{ name, slug, description, plans },
  status: (statuses.at(-1)?.status ?? 'DRAFT') as Status,
  doubleOptIn: settings.doubleOptIn ?? false,
  fromName: settings.fromName ?? '',
  replyTo: settings.replyTo ?? '',
  onUnknown: settings.onUnknown ?? 'RETRY',
});

function settingsOf({ doubleOptIn, fromName, replyTo, onUnknown }: Values): CollectionSettings {
  return { doubleOptIn, onUnknown, ...(fromName ? { fromName } : {}), ...(replyTo ? { replyTo } : {}) };
}

export default function NewsletterPage({ id }: { id?: string }) {
  const version = (collection: Collection & { etag?: string }) => ({
    values: toForm(collection),
    etag: collection.etag,
    id: collection.id,
  });
  const record = useRecord<Values>({
    key: id ? `newsletter form ${id}` : 'newsletter new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.collections.get(id, { signal })) }
      : { initial: EMPTY }),
    save: async (changes, { ifMatch, values }) => {
      const { name, slug, description, plans, status } = values;
      const input = { name, description, plans, settings: settingsOf(values), ...(slug ? { slug } : {}) };
      if (!id) return version(await souk.collections.create({ ...input, type: 'NEWSLETTER', blocks: BLOCKS, status }));
      const statuses = changes.status === undefined ? {} : { statuses: [{ status }] };
      return version(await souk.collections.update(id, { ...input, ...statuses }, ifMatch ? { ifMatch } : {}));
    },
    saved: (saved) => {
      forget('list newsletters');
      if (id) forget(`collection ${id}`);
      else navigate(`/newsletters/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const names = Object.fromEntries(
    (
      ['name', 'slug', 'description', 'status', 'doubleOptIn', 'fromName', 'replyTo', 'onUnknown', 'plans'] as const
    ).map((name) => [name, t(`newsletters.${name}`)]),
  );
  const { values } = record;
  return (
    <PageFrame
      title={id ? (record.base?.name ?? t('newsletters.title')) : t('newsletters.new')}
      back={id ? `/newsletters/${id}` : '/newsletters'}
      actions={id && values && <Delete id={id} name={values.name} />}
    >
      <RecordNotices record={record} names={names} />
      {values ? <Fields record={record} /> : !record.error && <SkeletonRows count={5} />}
      {values && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Fields({ record }: { record: FormRecord<Values> }) {
  return (
    <div class="columns">
      <div>
        <Section title={t('newsletters.about')}>
          <div class="fields">
            <TextField label={t('newsletters.name')} required {...record.bind('name')} />
            <TextField label={t('newsletters.slug')} hint={t('content.slugHint')} {...record.bind('slug')} />
          </div>
          <TextField label={t('newsletters.description')} multiline rows={2} {...record.bind('description')} />
          <CheckField
            label={t('newsletters.doubleOptIn')}
            hint={t('newsletters.doubleOptInHint')}
            {...record.bind('doubleOptIn', 'settings.doubleOptIn')}
          />
        </Section>
        <Plans {...record.bind('plans')} problemOf={record.problem} />
      </div>
      <div>
        <Section title={t('newsletters.visibility')}>
          <SelectField
            label={t('newsletters.status')}
            hint={t('newsletters.visibilityHint')}
            options={STATUSES.map((each) => [each, statusText(each)])}
            {...record.bind('status')}
          />
        </Section>
        <Section title={t('newsletters.mail')}>
          <TextField
            label={t('newsletters.fromName')}
            hint={t('newsletters.fromNameHint')}
            {...record.bind('fromName', 'settings.fromName')}
          />
          <TextField label={t('newsletters.replyTo')} type="email" {...record.bind('replyTo', 'settings.replyTo')} />
          <SelectField
            label={t('newsletters.onUnknown')}
            options={[
              ['RETRY', t('newsletters.RETRY')],
              ['HOLD', t('newsletters.HOLD')],
            ]}
            {...record.bind('onUnknown', 'settings.onUnknown')}
          />
        </Section>
      </div>
    </div>
  );
}

function Delete({ id, name }: { id: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const run = () => {
    navigate('/newsletters');
    deleteLater({
      name,
      hides: id,
      reloads: 'list newsletters',
      run: () => souk.collections.delete(id, { query: { cascade: true } }),
    });
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {t('parts.delete')}
      </button>
      {isAsking && (
        <Confirm
          title={t('newsletters.deleteTitle')}
          text={t('newsletters.deleteText')}
          action={t('parts.delete')}
          run={run}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}
