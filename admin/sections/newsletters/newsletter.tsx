import type { Collection, CollectionSettings, PlanInput } from '@souk/client';
import {
  COLLECTION_STATUSES,
  type CollectionStatus,
  DeleteCollection,
  statusOfCollection,
  useCollection,
} from '../../parts/collection.tsx';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { CheckField, SelectField, TextField } from '../../parts/form/form.tsx';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { statusText } from '../../parts/show.tsx';
import { t } from '../../text/index.ts';
import { DesignFields, DesignPreview, designOf } from './design.tsx';
import { Plans } from './plans.tsx';

type Values = {
  name: string;
  slug: string;
  description: string;
  status: CollectionStatus;
  doubleOptIn: boolean;
  referrals: boolean;
  fromName: string;
  replyTo: string;
  onUnknown: 'RETRY' | 'HOLD';
  opens: boolean;
  clicks: boolean;
  plans: PlanInput[];
  color: string;
  header: string;
  footer: string;
};

const newValues = (): Values => ({
  name: '',
  slug: '',
  description: '',
  status: 'PUBLISHED',
  doubleOptIn: true,
  referrals: false,
  fromName: '',
  replyTo: '',
  onUnknown: 'RETRY',
  opens: false,
  clicks: false,
  plans: [{ id: 'free', name: t('newsletters.freePlan') }],
  color: '',
  header: '',
  footer: '',
});

/** The fields of an issue. */
const newBlocks = () => [
  {
    id: 'subject',
    type: 'TEXT' as const,
    label: t('newsletters.subject'),
    required: true,
    settings: { maxLength: 200 },
  },
  { id: 'body', type: 'TEXT' as const, label: t('newsletters.text'), required: true, settings: { variant: 'HTML' } },
];

const toForm = (collection: Collection): Values => ({
  name: collection.name,
  slug: collection.slug,
  description: collection.description,
  plans: collection.plans,
  status: statusOfCollection(collection),
  doubleOptIn: collection.settings.doubleOptIn ?? false,
  referrals: collection.settings.referrals ?? false,
  fromName: collection.settings.fromName ?? '',
  replyTo: collection.settings.replyTo ?? '',
  onUnknown: collection.settings.onUnknown ?? 'RETRY',
  opens: collection.settings.tracking?.opens ?? false,
  clicks: collection.settings.tracking?.clicks ?? false,
  color: collection.settings.design?.color ?? '',
  header: collection.settings.design?.header ?? '',
  footer: collection.settings.design?.footer ?? '',
});

function settingsOf(values: Values): CollectionSettings {
  const { doubleOptIn, referrals, fromName, replyTo, onUnknown, opens, clicks, color, header, footer } = values;
  const design = designOf({ color, header, footer });
  const names = { ...(fromName ? { fromName } : {}), ...(replyTo ? { replyTo } : {}) };
  return { doubleOptIn, referrals, onUnknown, tracking: { opens, clicks }, design, ...names };
}

const SECTION = { section: '/newsletters', list: 'list newsletters' };

export default function NewsletterPage({ id }: { id?: string }) {
  const record = useCollection<Values>({
    ...SECTION,
    id,
    empty: newValues(),
    toForm,
    toInput: (values) => ({
      description: values.description,
      plans: values.plans,
      settings: settingsOf(values),
      ...(id ? {} : { type: 'NEWSLETTER' as const, blocks: newBlocks() }),
    }),
  });
  const names: Record<string, string> = Object.fromEntries(
    (
      ['name', 'slug', 'description', 'status', 'doubleOptIn', 'fromName', 'replyTo', 'onUnknown', 'plans'] as const
    ).map((name) => [name, t(`newsletters.${name}`)]),
  );
  Object.assign(names, { opens: t('stats.trackOpens'), clicks: t('stats.trackClicks') });
  Object.assign(names, { color: t('design.color'), header: t('design.header'), footer: t('design.footer') });
  const { values } = record;
  return (
    <PageFrame
      title={id ? (record.base?.name ?? t('newsletters.title')) : t('newsletters.new')}
      back={id ? `/newsletters/${id}` : '/newsletters'}
      actions={
        id &&
        values && (
          <DeleteCollection
            {...SECTION}
            id={id}
            name={values.name}
            title={t('newsletters.deleteTitle')}
            text={t('newsletters.deleteText')}
          />
        )
      }
    >
      <RecordNotices record={record} names={names} />
      {values ? <Fields record={record} id={id} /> : !record.error && <SkeletonRows count={5} />}
      {values && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Fields({ record, id }: { record: FormRecord<Values>; id: string | undefined }) {
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
          <CheckField
            label={t('audience.referralsLabel')}
            hint={t('audience.referralsHint')}
            {...record.bind('referrals', 'settings.referrals')}
          />
        </Section>
        <Plans {...record.bind('plans')} problemOf={record.problem} />
        <DesignFields record={record} />
        {id && <DesignPreview id={id} values={record.values!} />}
      </div>
      <div>
        <Section title={t('newsletters.visibility')}>
          <SelectField
            label={t('newsletters.status')}
            hint={t('newsletters.visibilityHint')}
            options={COLLECTION_STATUSES.map((each) => [each, statusText(each)])}
            {...record.bind('status')}
          />
        </Section>
        <Section title={t('newsletters.emailSettings')}>
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
        <Section title={t('stats.tracking')}>
          <p class="hint">{t('stats.trackingHint')}</p>
          <CheckField label={t('stats.trackClicks')} {...record.bind('clicks', 'settings.tracking.clicks')} />
          <CheckField label={t('stats.trackOpens')} {...record.bind('opens', 'settings.tracking.opens')} />
        </Section>
      </div>
    </div>
  );
}
