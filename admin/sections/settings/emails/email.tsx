/** The text of an email in a language, with a live preview. */
import { useRef, useState } from 'preact/hooks';
import { RichText } from '../../../parts/blocks/rich-text.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { TextField } from '../../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { MailPreview } from '../../../parts/mail-preview.tsx';
import { Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { SubNavigation } from '../../../parts/sub-navigation.tsx';
import { toast } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { isNewsletterKind, type Kind, LANGUAGES, type Language } from './kinds.ts';
import { Variables } from './variables.tsx';

type Values = { subject: string; body: string };
type Props = { kind: Kind; language: Language };

export default function Page(props: Props) {
  const [resets, setResets] = useState(0);
  const key = `${props.kind} ${props.language} ${resets}`;
  return <Editor key={key} {...props} onReset={() => setResets(resets + 1)} />;
}

function Editor({ kind, language, onReset }: Props & { onReset: () => void }) {
  const key = `mail-template ${business.value!.id} ${kind} ${language}`;
  const query = { locale: language };
  const record = useRecord<Values>({
    key,
    load: async (signal) => {
      const { subject, body, etag } = await souk.businesses.getMailTemplate(kind, { query, signal });
      return { values: { subject, body }, etag };
    },
    save: async (_changes, { ifMatch, values }) => {
      const options = { query, ...(ifMatch ? { ifMatch } : {}) };
      const { subject, body, etag } = await souk.businesses.updateMailTemplate(kind, values, options);
      forget('mail-templates');
      return { values: { subject, body }, etag };
    },
  });
  const { data: list } = useLoad(`mail-templates ${business.value!.id}`, (signal) =>
    souk.businesses.listMailTemplates({ signal }),
  );
  const template = list?.items.find((item) => item.kind === kind && item.locale === language);
  const [isResetting, setResetting] = useState(false);
  const { values } = record;
  const names = { subject: t('mails.subject'), body: t('mails.body') };
  const languages = LANGUAGES.map((each): [string, string, boolean] => [
    href(`/settings/email/${kind}/${each}`),
    t(`mails.${each}`),
    each === language,
  ]);
  return (
    <SettingsPage
      path="email"
      title={t(`mails.kind_${kind}`)}
      aside={template?.customized && <span class="badge">{t('mails.customized')}</span>}
      actions={
        template?.customized && (
          <button type="button" class="quiet" onClick={() => setResetting(true)}>
            {t('mails.reset')}
          </button>
        )
      }
    >
      {() => (
        <>
          <p class="quiet">{t(`mails.when_${kind}`)}</p>
          <div class="mail-languages">
            <SubNavigation label={t('mails.language')} links={languages} />
          </div>
          <RecordNotices record={record} names={names} />
          {!values && !record.error && <SkeletonRows count={4} />}
          {values && (
            <>
              <Fields
                record={record}
                language={language}
                variables={template?.variables.map(({ name }) => name) ?? []}
                hint={t(isNewsletterKind(kind) ? 'mails.fixedLink' : 'mails.fixed')}
              />
              <MailPreview
                render={(signal) => souk.businesses.previewMailTemplate(kind, values, { query, signal })}
                values={JSON.stringify(values)}
              />
              <SaveBar record={record} />
            </>
          )}
          {isResetting && (
            <ResetDialog
              reset={async () => {
                await souk.businesses.deleteMailTemplate(kind, { query });
                forget('mail-templates');
                record.discard();
                toast(t('mails.resetDone'));
                onReset();
              }}
              close={() => setResetting(false)}
            />
          )}
        </>
      )}
    </SettingsPage>
  );
}

type FieldsProps = {
  record: ReturnType<typeof useRecord<Values>>;
  language: Language;
  variables: readonly string[];
  hint: string;
};

/** A variable is inserted where the user last typed. */
function Fields({ record, language, variables, hint }: FieldsProps) {
  const subject = useRef<HTMLDivElement>(null);
  const insertInBody = useRef<(text: string) => void>(() => {});
  const isInSubject = useRef(false);
  const insert = (name: string) => {
    const text = `{{${name}}}`;
    const input = subject.current?.querySelector('input');
    if (!isInSubject.current || !input) return insertInBody.current(text);
    const at = input.selectionStart ?? input.value.length;
    const end = input.selectionEnd ?? at;
    record.set('subject', input.value.slice(0, at) + text + input.value.slice(end));
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(at + text.length, at + text.length);
    });
  };
  return (
    <Section title={t('mails.editor')}>
      <div
        ref={subject}
        onFocusIn={() => {
          isInSubject.current = true;
        }}
      >
        <TextField label={t('mails.subject')} maxLength={200} {...record.bind('subject')} />
      </div>
      <div
        onFocusIn={() => {
          isInSubject.current = false;
        }}
      >
        <RichText
          label={t('mails.body')}
          lang={language}
          {...record.bind('body')}
          onReady={(next) => {
            insertInBody.current = next;
          }}
        />
        <p class="hint">{hint}</p>
      </div>
      <Variables names={variables} insert={insert} />
    </Section>
  );
}

function ResetDialog({ reset, close }: { reset: () => Promise<void>; close: () => void }) {
  const action = useAction(async () => {
    await reset();
    close();
  });
  return (
    <Dialog title={t('mails.resetTitle')} close={close}>
      <p>{t('mails.resetText')}</p>
      <Problem error={action.error} />
      <div class="actions end">
        <button type="button" class="quiet" onClick={close}>
          {t('parts.cancel')}
        </button>
        <button type="button" disabled={action.isBusy} onClick={() => action.run()}>
          {t('mails.reset')}
        </button>
      </div>
    </Dialog>
  );
}
