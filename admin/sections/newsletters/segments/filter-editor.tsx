/** Edits the filter of a segment: `<FilterEditor value={filter} onChange={setFilter} />`. Null is an empty filter. */
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { t, tOr } from '../../../text/index.ts';
import {
  baseField,
  type Condition,
  emptyCondition,
  FIELDS,
  type Filter,
  type Group,
  hasPeriod,
  isGroup,
  MODES,
  ownField,
  ownName,
  pathOf,
  phraseOf,
  phrasesOf,
  phraseText,
  toFilter,
  toGroup,
} from './filter.ts';
import { useChoices, ValueField } from './filter-values.tsx';

type ProblemOf = (path: string) => string | undefined;
type Props = {
  value: Filter | null;
  onChange: (filter: Filter) => void;
  /** The error at a path such as `filter.all[0].value`. */
  problemOf?: ProblemOf;
  disabled?: boolean;
};

const NEW = emptyCondition('subscriber.newsletter');

export function FilterEditor({ value, onChange, problemOf = () => undefined, disabled = false }: Props) {
  const group = toGroup(value);
  const shown = group.items.length > 0 ? group : { ...group, items: [NEW] };
  return (
    <fieldset class="filter-editor plain" disabled={disabled}>
      <legend class="visually-hidden">{t('segments.conditions')}</legend>
      <GroupRows group={shown} at="filter" problemOf={problemOf} onChange={(next) => onChange(toFilter(next))} isRoot />
    </fieldset>
  );
}

type GroupProps = {
  group: Group;
  at: string;
  problemOf: ProblemOf;
  onChange: (group: Group) => void;
  isRoot?: boolean;
};

function GroupRows({ group, at, problemOf, onChange, isRoot = false }: GroupProps) {
  const { mode, items } = group;
  const modes = mode === 'some' ? [...MODES, mode] : MODES;
  const set = (i: number, next: Group | Condition | null) =>
    onChange({ mode, items: items.flatMap((each, at) => (at === i ? (next ?? []) : each)) });
  return (
    <>
      <SelectField
        label={t('segments.match')}
        value={mode}
        options={modes.map((each) => [each, t(each === 'none' ? 'segments.none_' : `segments.${each}`)])}
        onInput={(next) => onChange({ mode: next, items })}
      />
      <ul class="conditions">
        {items.map((item, i) => (
          <li key={i}>
            {isGroup(item) ? (
              <fieldset class="row-card">
                <legend>{t('segments.group')}</legend>
                <GroupRows
                  group={item}
                  at={pathOf(at, mode, i)}
                  problemOf={problemOf}
                  onChange={(next) => set(i, next)}
                />
                <button type="button" class="link" onClick={() => set(i, null)}>
                  {t('segments.removeGroup')}
                </button>
              </fieldset>
            ) : (
              <Row
                number={i + 1}
                condition={item}
                at={pathOf(at, mode, i)}
                problemOf={problemOf}
                onChange={(next) => set(i, next)}
                remove={items.length > 1 ? () => set(i, null) : undefined}
              />
            )}
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="quiet" onClick={() => onChange({ mode, items: [...items, NEW] })}>
          {t('segments.addCondition')}
        </button>
        {isRoot && (
          <button
            type="button"
            class="quiet"
            onClick={() => onChange({ mode, items: [...items, { mode: 'any', items: [NEW] }] })}
          >
            {t('segments.addGroup')}
          </button>
        )}
      </div>
    </>
  );
}

type RowProps = {
  number: number;
  condition: Condition;
  at: string;
  problemOf: ProblemOf;
  onChange: (condition: Condition) => void;
  remove: (() => void) | undefined;
};

const SUBJECTS = ['subscriber', 'order', 'customer'] as const;
const fieldText = (field: string) => tOr(`segments.label_${field.replace('.', '_')}`, field);

function Row({ number, condition, at, problemOf, onChange, remove }: RowProps) {
  const { field, days } = condition;
  const { fields } = useChoices();
  const base = baseField(field);
  const label = t('segments.conditionNumber', { number });
  const isOwn = base === 'subscriber.fields';
  const problem = ['field', 'op', 'value', 'days'].map((name) => problemOf(`${at}.${name}`)).find(Boolean);
  return (
    <fieldset class="condition plain">
      <legend class="visually-hidden">{label}</legend>
      <div class="field">
        <select
          aria-label={t('segments.field')}
          value={base}
          onChange={(event) => onChange(emptyCondition(event.currentTarget.value))}
        >
          {SUBJECTS.map((subject) => (
            <optgroup key={subject} label={t(`segments.${subject}`)}>
              {Object.keys(FIELDS)
                .filter((each) => each.startsWith(`${subject}.`))
                .map((each) => (
                  <option key={each} value={each} selected={each === base}>
                    {fieldText(each)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </div>
      {isOwn && (
        <TextField
          label={t('segments.ownName')}
          hideLabel
          placeholder={t('segments.ownName')}
          list={fields}
          value={ownName(field)}
          onInput={(name) => onChange({ ...condition, field: ownField(name) })}
        />
      )}
      <SelectField
        label={t('segments.phrase')}
        hideLabel
        value={phraseOf(condition)}
        options={phrasesOf(field).map((each) => [
          each,
          phraseText(field, each).replace('{field}', ownName(field) || t('segments.value')),
        ])}
        onInput={(phrase) => onChange(changePhrase(condition, phrase))}
      />
      <ValueField condition={condition} onChange={onChange} problem={problem} />
      {hasPeriod(condition) && (
        <NumberField
          label={t('segments.lastDays')}
          value={days ?? null}
          onInput={(next) => {
            const { days: _, ...rest } = condition;
            onChange(next === null ? rest : { ...rest, days: next });
          }}
        />
      )}
      {remove && (
        <button type="button" class="icon" aria-label={t('segments.removeCondition', { number })} onClick={remove}>
          ×
        </button>
      )}
    </fieldset>
  );
}

/** Keeps the value if the new operator takes the same kind of value. */
function changePhrase(before: Condition, phrase: string): Condition {
  const next = { ...emptyCondition(baseField(before.field), phrase), field: before.field };
  const period = hasPeriod(before) && before.days !== undefined ? { days: before.days } : {};
  const isSame = Array.isArray(before.value) === (phrase === 'in') && next.days === undefined;
  if (phrase === 'in' && typeof before.value === 'string' && before.value !== '') {
    return { ...next, ...period, value: [before.value] };
  }
  return { ...next, ...period, ...(isSame && before.value !== undefined ? { value: before.value } : {}) };
}
