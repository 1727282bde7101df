import type { TaxClass } from '@souk/client';
import { useRef } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { Form, TextField } from '../../../parts/form/form.tsx';
import { focusSoon } from '../../../shell/focus.ts';
import { t } from '../../../text/index.ts';
import { codeFor } from '../shipping/codes.ts';
import { classesOf, STANDARD, type TaxValues } from './values.ts';

/** Edits the form behind it, so that nothing is lost when it closes. */
export function ClassDialog({ record, close }: { record: FormRecord<TaxValues>; close: () => void }) {
  const { classes, rows, shipping } = record.values!;
  const list = useRef<HTMLDivElement>(null);
  const shown = classesOf(classes, t('taxes.standard'));
  const set = (next: TaxClass[]) => record.set('classes', next);
  const add = () => {
    const taken = shown.map(({ id }) => id);
    set([...shown, { id: codeFor(`class-${shown.length + 1}`, taken, 'class'), name: '' }]);
    focusSoon(() => list.current?.children[shown.length]?.querySelector('input'));
  };
  /** Also removes the rates of the class. */
  const remove = (id: string) => {
    set(shown.filter((each) => each.id !== id));
    record.set(
      'rows',
      rows
        .map((row) => ({ ...row, rates: row.rates.filter(({ classId }) => classId !== id) }))
        .filter(({ rates }) => rates.length > 0),
    );
    if (shipping === id) record.set('shipping', 'PROPORTIONAL');
  };
  return (
    <Dialog title={t('taxes.classes')} close={close}>
      <p class="quiet">{t('taxes.classInUse')}</p>
      <Form submit={close}>
        <div ref={list}>
          {shown.map(({ id, name }, i) => (
            <div key={id} class="class-row">
              <TextField
                label={`${t('taxes.className')} ${i + 1}`}
                hideLabel
                hint={id === STANDARD ? t('taxes.classStandard') : t('taxes.classHint')}
                value={name}
                onInput={(next) => set(shown.map((each) => (each.id === id ? { ...each, name: next } : each)))}
                problem={record.problem(`configs.taxClasses[${i}].name`)}
              />
              {id !== STANDARD && (
                <button
                  type="button"
                  class="icon"
                  aria-label={t('parts.removeItem', { name: name || `${t('taxes.className')} ${i + 1}` })}
                  onClick={() => remove(id)}
                >
                  ×
                </button>
              )}
            </div>
          ))}
        </div>
        <div class="actions end">
          <button type="button" class="quiet" onClick={add}>
            {t('taxes.addClass')}
          </button>
          <button type="submit">{t('parts.done')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
