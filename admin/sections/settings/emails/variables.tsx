import { type TextKey, t } from '../../../text/index.ts';

/** The variables of a template. A click inserts one. */
export const Variables = ({ names, insert }: { names: readonly string[]; insert: (name: string) => void }) => (
  <fieldset class="mail-variables">
    <legend>{t('mails.variables')}</legend>
    <p class="hint">{t('mails.variablesText')}</p>
    {names.map((name) => {
      const title = t(`mails.var_${name.replace('.', '_')}` as TextKey);
      return (
        <button
          key={name}
          type="button"
          class="quiet small"
          title={`{{${name}}}`}
          aria-label={t('mails.insert', { name: title })}
          // Keeps the focus and the cursor in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => insert(name)}
        >
          {title}
        </button>
      );
    })}
  </fieldset>
);
