/** The search box and the filters of a list. Both are in the URL, so a view can be linked and saved. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { query as address, setQuery } from '../../shell/router.ts';
import { t } from '../../text/index.ts';

const TYPING_MS = 120;

export type Filter = {
  name: string;
  label: string;
  options: readonly (readonly [string, string])[];
  /** Hidden behind a button until it is used. */
  isMore?: boolean;
};

export function SearchBox({ label }: { label: string }) {
  const inAddress = address.value.get('q') ?? '';
  const [text, setText] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef(inAddress);
  // A search typed just before leaving the page must not end up in the next page's URL.
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (inAddress !== typed.current) setText(inAddress);
    typed.current = inAddress;
  }, [inAddress]);
  return (
    <search aria-busy={text.trim() !== inAddress || undefined}>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            typed.current = value.trim();
            setQuery({ q: value.trim() });
          }, TYPING_MS);
        }}
      />
    </search>
  );
}

function FilterBox({ filter: { name, label, options } }: { filter: Filter }) {
  const value = address.value.get(name) ?? '';
  return (
    <select
      class={value ? 'filter set' : 'filter'}
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{`${label}: ${t('parts.all')}`}</option>
      {options.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The filters of a list. Rarely used ones are behind a button, and so are all unused ones on phones. */
export function Filters({ filters }: { filters: Filter[] }) {
  const [isOpen, setOpen] = useState(false);
  const isShown = ({ name, isMore }: Filter) => isOpen || !isMore || address.value.get(name);
  const hidden = filters.filter((filter) => !isShown(filter));
  return (
    <div class="filters" data-open={isOpen}>
      {filters.filter(isShown).map((filter) => (
        <FilterBox key={filter.name} filter={filter} />
      ))}
      {filters.length > 0 && (
        <button type="button" class="quiet narrow-only" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('parts.filters')}
        </button>
      )}
      {(isOpen || hidden.length > 0) && (
        <button type="button" class="quiet wide-only" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('parts.moreFilters')}
        </button>
      )}
    </div>
  );
}

export function NoResults({ filters }: { filters: Filter[] }) {
  const none = Object.fromEntries([['q', ''], ...filters.map(({ name }) => [name, ''])]);
  return (
    <div class="empty">
      <h2>{t('parts.noResults')}</h2>
      <p>{t('parts.noResultsText')}</p>
      <button type="button" class="quiet" onClick={() => setQuery(none)}>
        {t('parts.clearFilters')}
      </button>
    </div>
  );
}
