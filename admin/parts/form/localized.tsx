/**
 * A text field with translations side by side. `value` is a string, or an object of strings by language; adding the first language
 * turns the string into an object. `field` renders the field for one language.
 */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { focusSoon } from '../../shell/focus.ts';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { Form } from './form.tsx';
import { isoName } from './iso.ts';
import { IsoField } from './iso-fields.tsx';

export type Localized = string | Record<string, string>;
type OneProps = { label: string; value: string; onInput: (value: string) => void; lang: string | undefined };

const COMMON = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'tr', 'ar', 'uk', 'ja', 'zh'];

const languageName = (code: string) => isoName('language', code);

type Props = {
  label: string;
  value: Localized | null;
  onInput: (value: Localized) => void;
  /** The language of untranslated text. */
  locale: string;
  /** Always an object, even with a single language. */
  always?: boolean;
  field: (props: OneProps) => ComponentChildren;
};

export function LocalizedField({ label, value, onInput, locale, always = false, field }: Props) {
  const [isAdding, setAdding] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isPlain = !always && (value === null || typeof value === 'string');
  const texts: Record<string, string> =
    typeof value === 'string' ? { [locale]: value } : value && Object.keys(value).length > 0 ? value : { [locale]: '' };
  const codes = [...new Set([locale, ...Object.keys(texts)])].filter((code) => code in texts);
  const remove = (code: string) => {
    const { [code]: _, ...rest } = texts;
    const [only] = Object.keys(rest);
    onInput(!always && Object.keys(rest).length === 1 && only === locale ? rest[only]! : rest);
  };
  return (
    <div class="localized" ref={box}>
      {isPlain ? (
        field({ label, value: texts[locale] ?? '', onInput, lang: undefined })
      ) : (
        <fieldset>
          <legend class={codes.length > 1 ? '' : 'visually-hidden'}>{label}</legend>
          <div class="languages">
            {codes.map((code) => (
              <div key={code}>
                {field({
                  label: codes.length > 1 ? languageName(code) : `${label} (${languageName(code)})`,
                  value: texts[code]!,
                  onInput: (text) => onInput({ ...texts, [code]: text }),
                  lang: code,
                })}
                {codes.length > 1 && (
                  <button type="button" class="link small" onClick={() => remove(code)}>
                    {t('parts.remove')}
                    <span class="visually-hidden">{`${label} (${languageName(code)})`}</span>
                  </button>
                )}
              </div>
            ))}
          </div>
        </fieldset>
      )}
      <button type="button" class="link small" onClick={() => setAdding(true)}>
        {t('blocks.addLanguage')}
        <span class="visually-hidden">{label}</span>
      </button>
      {isAdding && (
        <AddLanguage
          taken={codes}
          close={() => setAdding(false)}
          add={(code) => {
            onInput({ ...texts, [code]: '' });
            focusSoon(() =>
              box.current
                ?.querySelectorAll('.languages > div')
                [codes.length]?.querySelector<HTMLElement>('input, textarea, [contenteditable="true"]'),
            );
          }}
        />
      )}
    </div>
  );
}

function AddLanguage(props: { taken: string[]; add: (code: string) => void; close: () => void }) {
  const [code, setCode] = useState(COMMON.find((each) => !props.taken.includes(each)) ?? '');
  const submit = () => {
    if (code) props.add(code);
    props.close();
  };
  return (
    <Dialog title={t('blocks.addLanguage')} close={props.close}>
      <Form submit={submit}>
        <IsoField type="language" label={t('blocks.language')} value={code} onInput={setCode} without={props.taken} />
        <div class="actions end">
          <button type="submit">{t('parts.add')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
