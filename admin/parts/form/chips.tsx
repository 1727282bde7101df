/** Several values from a list, found by typing, each with a button to remove it. */
import { t } from '../../text/index.ts';
import type { Bound, Common } from './field-frame.tsx';
import { Pick } from './pick.tsx';

type Option = readonly [code: string, text: string];

type Props = Common &
  Bound<string[]> & {
    placeholder?: string;
    options: readonly Option[];
    /** Options that add several values at once. */
    groups?: readonly { text: string; detail: string; codes: readonly string[] }[];
  };

const MAX_HITS = 20;

export function ChipsField({ label, hint, placeholder, problem, value, onInput, options, groups = [] }: Props) {
  const choices = [
    ...groups.map(({ text, detail, codes }) => ({ id: `group ${text}`, text, detail, codes })),
    ...options.map(([code, text]) => ({ id: code, text, detail: '', codes: [code] })),
  ].filter(({ codes }) => codes.some((code) => !value.includes(code)));
  const search = (query: string) => {
    const typed = plain(query);
    const found = choices.filter(({ id, text }) => plain(text).includes(typed) || plain(id) === typed);
    const starts = found.filter(({ text }) => plain(text).startsWith(typed));
    return [...new Set([...starts, ...found])].slice(0, MAX_HITS);
  };
  const match = (query: string) => {
    const found = search(query);
    const exact = found.filter(({ id, text }) => [plain(id), plain(text)].includes(plain(query)));
    return exact[0] ?? (found.length === 1 ? found[0] : undefined);
  };
  const names = new Map(options);
  // Without "(optional)".
  const list = label.replace(/ \([^()]*\)$/, '');
  return (
    <div class="chips-field">
      <Pick
        label={label}
        hint={hint}
        placeholder={placeholder}
        problem={problem}
        find={async (query) => search(query)}
        match={match}
        choose={({ codes }) => onInput([...new Set([...value, ...codes])])}
        show={({ id, text, detail }) => ({ id, text, detail })}
      />
      {value.length > 0 && (
        <ul class="chips" aria-label={list}>
          {value.map((code) => (
            <li key={code}>
              {names.get(code) ?? code}{' '}
              <button
                type="button"
                class="icon"
                aria-label={t('parts.removeFrom', { name: names.get(code) ?? code, list })}
                onClick={() => onInput(value.filter((each) => each !== code))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Without accents, so that `cote` finds Côte d’Ivoire. */
const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
