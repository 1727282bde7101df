import type { TaxClass } from '@souk/client';
import { Dialog } from '../../../parts/dialog.tsx';
import { StateField } from '../../../parts/form/address.tsx';
import { useAddressFormat } from '../../../parts/form/address-format.ts';
import { Form, optional, TagsField, TextField } from '../../../parts/form/form.tsx';
import { IsoField } from '../../../parts/form/iso-fields.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { t } from '../../../text/index.ts';
import { bpsOf, placeOf, type TaxRow, withBps } from './values.ts';

type Props = {
  row: TaxRow;
  set: (row: TaxRow) => void;
  classes: TaxClass[];
  problem: (field: string) => string | undefined;
  remove: () => void;
  close: () => void;
};

/** Edits the form behind it, so that nothing is lost when it closes. */
export function RateDialog({ row, set, classes, problem, remove, close }: Props) {
  const { country, state, zips, name } = row;
  const { states = [] } = useAddressFormat(country) ?? {};
  const stateField = {
    label: optional(t('taxes.state')),
    value: state,
    onInput: (next: string) => set({ ...row, state: next }),
    problem: problem('state'),
  };
  return (
    <Dialog title={country ? t('taxes.editRate', { place: placeOf(row) }) : t('taxes.newRate')} close={close}>
      <Form submit={close}>
        <div class="fields">
          <IsoField
            type="region"
            label={t('parts.country')}
            value={country}
            onInput={(next) => set({ ...row, country: next, state: '' })}
            problem={problem('country')}
          />
          <TextField
            label={t('taxes.rateName')}
            hint={t('taxes.rateNameHint')}
            value={name}
            onInput={(next) => set({ ...row, name: next })}
            problem={problem('name')}
          />
        </div>
        <div class="fields">
          {classes.map(({ id, name: className }) => {
            const bps = bpsOf(row, id);
            return (
              <NumberField
                key={id}
                label={t('taxes.percentFor', { class: className })}
                suffix="%"
                value={bps === null ? null : bps / 100}
                onInput={(percent) => set(withBps(row, id, percent === null ? null : Math.round(percent * 100)))}
                problem={problem(`bps ${id}`)}
              />
            );
          })}
        </div>
        <p class="hint">{t('taxes.percentHint')}</p>
        <details class="narrow-down" open={state !== '' || zips.length > 0}>
          <summary>{t('shipping.narrow')}</summary>
          {states.length > 0 ? <StateField states={states} {...stateField} /> : <TextField {...stateField} />}
          <TagsField
            label={optional(t('shipping.zips'))}
            hint={t('shipping.zipsHint')}
            value={zips}
            onInput={(next) => set({ ...row, zips: next })}
            problem={problem('zips')}
          />
        </details>
        <div class="actions end">
          <button type="button" class="quiet" onClick={remove}>
            {t('taxes.removeRate')}
          </button>
          <button type="submit">{t('parts.done')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
