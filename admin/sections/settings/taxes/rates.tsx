/** Tax classes, and the rates of each place. A row opens a dialog that edits the form. */
import { useRef, useState } from 'preact/hooks';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { TextField } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { problemWithin } from '../../../parts/problem.tsx';
import { percent } from '../../../parts/show.tsx';
import { locale, t } from '../../../text/index.ts';
import { EndpointFields } from '../endpoint-fields.tsx';
import { ApplyRates } from './apply-rates.tsx';
import { ClassDialog } from './classes.tsx';
import { RateDialog } from './rate-dialog.tsx';
import { bpsOf, classesOf, firstRateOf, placeOf, STANDARD, type TaxRow, type TaxValues } from './values.ts';

type Props = { record: FormRecord<TaxValues>; values: TaxValues };

const PAGE = 50;
const MIN_SEARCHED = 10;

export function Rates({ record, values: { classes, rows, provider } }: Props) {
  const [dialog, setDialog] = useState<'current' | 'classes' | number | null>(null);
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const table = useRef<HTMLTableElement>(null);
  const columns = classesOf(classes, t('taxes.standard'));
  const problemOf = (row: number) => {
    const first = firstRateOf(rows, row);
    const own = rows[row]!.rates.map((_, i) => problemWithin(record.error, `configs.taxRates[${first + i}]`));
    return own.find((problem) => problem !== undefined);
  };
  const typed = search.trim().toLowerCase();
  const { compare } = new Intl.Collator(locale());
  const found = rows
    .flatMap((row, i) => (placeOf(row).toLowerCase().includes(typed) ? [{ row, i }] : []))
    .sort((a, b) => compare(placeOf(a.row), placeOf(b.row)));
  const setRow = (at: number, row: TaxRow) =>
    record.set(
      'rows',
      rows.map((each, i) => (i === at ? row : each)),
    );
  const add = () => {
    const rates = [{ id: '', classId: STANDARD, bps: 0 }];
    record.set('rows', [...rows, { country: '', state: '', zips: [], name: t('taxes.vat'), rates }]);
    setDialog(rows.length);
  };
  const problem = problemWithin(record.error, 'configs.taxClasses');
  return (
    <Section title={t('taxes.classesAndRates')}>
      <p class="quiet">{t('taxes.ratesText')}</p>
      <p>
        {t('taxes.classes')}: {columns.map(({ name }) => name).join(', ')}{' '}
        <button type="button" class="link" onClick={() => setDialog('classes')}>
          {t('taxes.editClasses')}
        </button>
      </p>
      {problem && <p class="field-error">{problem}</p>}
      {rows.length === 0 && <p>{t('taxes.noRates')}</p>}
      {rows.length > MIN_SEARCHED && (
        <TextField type="search" label={t('taxes.findRate')} value={search} onInput={setSearch} />
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section class="tax-rates" tabIndex={0} aria-label={t('taxes.rates')}>
          <table ref={table}>
            <thead>
              <tr>
                <th scope="col">{t('taxes.place')}</th>
                {columns.map(({ id, name }) => (
                  <th key={id} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.slice(0, limit).map(({ row, i }) => (
                <tr key={i}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => setDialog(i)}>
                      {placeOf(row) || t('taxes.newRate')}
                    </button>
                    {problemOf(i) && <span class="field-error">{problemOf(i)}</span>}
                  </th>
                  {columns.map(({ id }) => {
                    const bps = bpsOf(row, id);
                    return (
                      <td key={id} class="number">
                        {bps === null ? '–' : percent(bps)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {found.length === 0 && rows.length > 0 && <p class="quiet">{t('parts.noResults')}</p>}
      <div class="actions">
        {found.length > limit && (
          <button type="button" class="quiet" onClick={() => setLimit(limit + 10 * PAGE)}>
            {t('taxes.moreRates', { count: found.length - limit })}
          </button>
        )}
        <button type="button" class="quiet" onClick={add}>
          <span aria-hidden="true">+ </span>
          {t('taxes.addRate')}
        </button>
        <button
          type="button"
          class={rows.length === 0 ? 'tax-current' : 'tax-current quiet'}
          onClick={() => setDialog('current')}
        >
          {t('taxes.currentRates')}
        </button>
      </div>
      <EndpointFields
        title={t('taxes.provider')}
        text={t('taxes.providerText')}
        value={provider}
        onInput={(next) => record.set('provider', next)}
        problem={(field) => record.problem(`configs.tax.provider.${field}`)}
      />
      {dialog === 'current' && <ApplyRates record={record} close={() => setDialog(null)} />}
      {dialog === 'classes' && <ClassDialog record={record} close={() => setDialog(null)} />}
      {typeof dialog === 'number' && rows[dialog] && (
        <RateDialog
          row={rows[dialog]}
          set={(row) => setRow(dialog, row)}
          classes={columns}
          problem={(field) => rowProblem(record, rows, dialog, field)}
          remove={() => {
            record.set(
              'rows',
              rows.filter((_, i) => i !== dialog),
            );
            setDialog(null);
          }}
          close={() => setDialog(null)}
        />
      )}
    </Section>
  );
}

/** `field`: the name of a field, optionally followed by the class whose rate it belongs to, such as `bps standard`. */
function rowProblem(record: FormRecord<TaxValues>, rows: readonly TaxRow[], at: number, field: string) {
  const first = firstRateOf(rows, at);
  const [name = '', classId] = field.split(' ');
  const found = rows[at]!.rates.flatMap((rate, i) =>
    classId === undefined || rate.classId === classId
      ? [problemWithin(record.error, `configs.taxRates[${first + i}].${name}`)]
      : [],
  );
  return found.find((problem) => problem !== undefined);
}
