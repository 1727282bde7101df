/** A sign-up form with its HTML and a preview. */
import type { SignupForm, SignupFormInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import { type FormRecord, useRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, SelectField, TagsField, TextField } from '../../../parts/form/form.tsx';
import { forget, useLoad } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { deleteLater, toast } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { useChoices } from '../segments/filter-values.tsx';

type Values = {
  collectionId: string;
  name: string;
  heading: string;
  text: string;
  button: string;
  asksName: boolean;
  tags: string[];
  fields: string[];
  thanks: string;
  redirectUrl: string;
};

const EMPTY: Values = {
  collectionId: '',
  name: '',
  heading: '',
  text: '',
  button: '',
  asksName: false,
  tags: [],
  fields: [],
  thanks: '',
  redirectUrl: '',
};

const keyOf = (id: string) => `form ${id}`;

const toForm = ({
  collectionId,
  name,
  heading,
  text,
  button,
  asksName,
  tags,
  fields,
  thanks,
  redirectUrl,
}: SignupForm) => ({
  collectionId,
  name,
  heading,
  text,
  button,
  asksName,
  tags,
  fields,
  thanks,
  redirectUrl: redirectUrl ?? '',
});

export default function FormPage({ id }: { id?: string }) {
  const version = (form: SignupForm & { etag?: string }) => ({ values: toForm(form), etag: form.etag, id: form.id });
  const record = useRecord<Values>({
    key: id ? keyOf(id) : 'form new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.newsletters.getForm(id, { signal })) }
      : { initial: EMPTY }),
    save: async (_changes, { ifMatch, values }) => {
      const { collectionId, redirectUrl, ...own } = values;
      const input = { ...own, redirectUrl: redirectUrl || null };
      if (id) return version(await souk.newsletters.updateForm(id, input, ifMatch ? { ifMatch } : {}));
      const created = await souk.newsletters.createForm({ ...input, collectionId } as SignupFormInput);
      return { ...version(created), key: keyOf(created.id) };
    },
    saved: (saved) => {
      forget('list forms');
      forget('form html');
      if (!id) navigate(`/newsletters/forms/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const { values } = record;
  const names = Object.fromEntries(
    (Object.keys(EMPTY) as (keyof Values)[]).map((name) => [
      name,
      t(name === 'collectionId' ? 'forms.newsletter' : `forms.${name}`),
    ]),
  );
  return (
    <PageFrame
      title={id ? (record.base?.name ?? t('forms.title')) : t('forms.new')}
      back="/newsletters/forms"
      actions={id && values && can('SUBSCRIBER_WRITE') && <Delete id={id} name={values.name} />}
    >
      <RecordNotices record={record} names={names} />
      {values ? <Fields record={record} id={id} /> : !record.error && <SkeletonRows count={5} />}
      {values && can('SUBSCRIBER_WRITE') && <SaveBar record={record} />}
    </PageFrame>
  );
}

function Fields({ record, id }: { record: FormRecord<Values>; id: string | undefined }) {
  const newsletters = useChoices().options('newsletter');
  const { collectionId } = record.values!;
  return (
    <div class="columns">
      <div>
        <Section title={t('forms.details')}>
          <TextField label={t('forms.name')} hint={t('forms.nameHint')} required {...record.bind('name')} />
          <SelectField
            label={t('forms.newsletter')}
            required
            options={[...(collectionId === '' ? [['', t('segments.choose')] as const] : []), ...newsletters]}
            {...record.bind('collectionId')}
            disabled={id !== undefined}
          />
          <TextField label={optional(t('forms.heading'))} maxLength={100} {...record.bind('heading')} />
          <TextField label={optional(t('forms.text'))} multiline rows={2} maxLength={500} {...record.bind('text')} />
          <TextField label={optional(t('forms.button'))} maxLength={40} {...record.bind('button')} />
          <CheckField label={t('forms.asksName')} {...record.bind('asksName')} />
          <TagsField label={optional(t('forms.fields'))} hint={t('forms.fieldsHint')} {...record.bind('fields')} />
          <TagsField label={optional(t('forms.tags'))} hint={t('audience.tagsHint')} {...record.bind('tags')} />
        </Section>
        <Section title={t('forms.after')}>
          <TextField
            label={optional(t('forms.thanks'))}
            hint={t('forms.thanksHint')}
            multiline
            rows={2}
            {...record.bind('thanks')}
          />
          <TextField
            label={optional(t('forms.redirectUrl'))}
            hint={t('forms.redirectHint')}
            type="url"
            {...record.bind('redirectUrl')}
          />
        </Section>
      </div>
      <div>{id ? <Embed id={id} /> : <p class="notice">{t('forms.saveFirst')}</p>}</div>
    </div>
  );
}

/** The saved form. Its preview has no scripts and can't be submitted. */
function Embed({ id }: { id: string }) {
  const { data } = useLoad(`form html ${id}`, (signal) => souk.newsletters.getForm(id, { signal }));
  if (!data) return <SkeletonRows />;
  const copy = async () => {
    await navigator.clipboard.writeText(data.html);
    toast(t('forms.copied'));
  };
  return (
    <>
      <Section title={t('forms.preview')}>
        <iframe class="signup-preview" title={t('forms.preview')} sandbox="" srcdoc={data.html} />
      </Section>
      <Section title={t('forms.embed')}>
        <TextField
          label={t('forms.embed')}
          hideLabel
          hint={t('forms.embedText')}
          multiline
          rows={8}
          value={data.html}
          onInput={() => {}}
        />
        <div class="actions">
          <button type="button" onClick={() => void copy()}>
            {t('forms.copy')}
          </button>
          <a class="button quiet" href={data.url} target="_blank" rel="noreferrer">
            {t('forms.open')}
          </a>
        </div>
      </Section>
    </>
  );
}

function Delete({ id, name }: { id: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const run = () => {
    navigate('/newsletters/forms');
    deleteLater({ name, hides: id, reloads: 'list forms', run: () => souk.newsletters.deleteForm(id) });
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {t('parts.delete')}
      </button>
      {isAsking && (
        <Confirm
          title={t('forms.deleteTitle')}
          text={t('forms.deleteText')}
          run={run}
          action={t('parts.delete')}
          close={() => setAsking(false)}
        />
      )}
    </>
  );
}
