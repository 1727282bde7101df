/** Shows the VAT rates of the service next to the rates in the form, and adds them to the form. */
import type { VatRates } from '@souk/client';
import { Dialog } from '../../../parts/dialog.tsx';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { isoName } from '../../../parts/form/iso.ts';
import { useLoad } from '../../../parts/load.ts';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { percent } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { locale, t } from '../../../text/index.ts';
import { planRates } from './plan-rates.ts';
import type { TaxValues } from './values.ts';

export function ApplyRates({ record, close }: { record: FormRecord<TaxValues>; close: () => void }) {
  const { data, error, reload } = useLoad('vat rates', (signal) => souk.payments.getVatRates({ signal }));
  return (
    <Dialog title={data ? t('taxes.currentTitle', { date: dayOf(data.date) }) : t('taxes.rates')} close={close} wide>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={6} />}
      {data && <Plan record={record} vat={data} close={close} />}
    </Dialog>
  );
}

const dayOf = (day: string) =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));

function Plan({ record, vat, close }: { record: FormRecord<TaxValues>; vat: VatRates; close: () => void }) {
  const { classes, rows } = record.values!;
  const plan = planRates(vat, classes, rows);
  const { added, changed, same } = plan.counts;
  const counts = [
    ...(added > 0 ? [t('taxes.currentNew', { count: added })] : []),
    ...(changed > 0 ? [t('taxes.currentChanged', { count: changed })] : []),
    ...(same > 0 ? [t('taxes.currentSame', { count: same })] : []),
  ];
  const isNothing = added + changed === 0;
  const apply = () => {
    record.set('classes', plan.classes);
    record.set('rows', plan.rows);
    toast(t('taxes.currentAdded'));
    close();
  };
  return (
    <>
      <p>{t('taxes.currentText')}</p>
      <p>
        <strong>{isNothing ? t('taxes.currentNothing') : counts.join(' · ')}</strong>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="tax-rates is-short" tabIndex={0} aria-label={t('taxes.rates')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('parts.country')}</th>
              {vat.taxClasses.map(({ id, name }) => (
                <th key={id} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {plan.countries.map(({ country, cells }) => (
              <tr key={country}>
                <th scope="row">{isoName('region', country)}</th>
                {cells.map(({ classId, bps, previous }) => (
                  <td key={classId} class={`number ${previous === bps ? 'quiet' : ''}`}>
                    {percent(bps)}
                    {previous !== null && previous !== bps && (
                      <small>{t('taxes.changedFrom', { percent: percent(previous) })}</small>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="actions end">
        <button type="button" class="quiet" onClick={close}>
          {isNothing ? t('parts.close') : t('parts.cancel')}
        </button>
        {!isNothing && (
          <button type="button" onClick={apply}>
            {t('taxes.currentApply')}
          </button>
        )}
      </div>
    </>
  );
}
