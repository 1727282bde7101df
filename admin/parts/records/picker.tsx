/**
 * A field for references to records: `<RecordField label={…} target="PRODUCT" value={ids} onInput={…} many />`. Without `target`, the
 * dialog asks for the type.
 */
import { useEffect, useId, useState } from 'preact/hooks';
import { href } from '../../shell/router.ts';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import type { Bound } from '../form/field-frame.tsx';
import { noteUnreachable, useLoad } from '../load.ts';
import { Problem } from '../problem.tsx';
import { findNames, type Named, SOURCES, TARGETS, type Target } from './sources.ts';

const TYPING_MS = 150;

type Props = Bound<string[]> & { label: string; hint?: string; target?: Target | undefined; many?: boolean };

export function RecordField({ label, hint, target, many = false, value, onInput, problem }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const names = useLoad(`names ${value.join(' ')}`, async (signal) => findNames(value, signal));
  const named = value.map((each) => names.data?.find((found) => found.id === each) ?? { id: each, name: each });
  return (
    <fieldset class="field" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend>{label}</legend>
      {named.length > 0 && (
        <ul class="chips">
          {named.map(({ id: each, name, path }: Named) => (
            <li key={each}>
              {path ? <a href={href(path)}>{name}</a> : name}
              <button
                type="button"
                class="icon"
                aria-label={t('parts.removeItem', { name })}
                onClick={() => onInput(value.filter((other) => other !== each))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {t('blocks.choose')}
        <span class="visually-hidden">{label}</span>
      </button>
      {hint && <p class="hint">{hint}</p>}
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
      {isOpen && (
        <RecordPicker
          label={label}
          target={target}
          chosen={value}
          close={() => setOpen(false)}
          choose={(record) => {
            if (!many) {
              onInput([record.id]);
              setOpen(false);
            } else if (value.includes(record.id)) onInput(value.filter((each) => each !== record.id));
            else onInput([...value, record.id]);
          }}
        />
      )}
    </fieldset>
  );
}

type PickerProps = {
  label: string;
  target: Target | undefined;
  chosen: string[];
  choose: (record: Named) => void;
  close: () => void;
};

export function RecordPicker({ label, target, chosen, choose, close }: PickerProps) {
  const [kind, setKind] = useState<Target>(target ?? 'PRODUCT');
  const [text, setText] = useState('');
  const [state, setState] = useState<{ requested?: string; found?: Named[]; error?: unknown }>({});
  const requested = `${kind} ${text}`;
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        SOURCES[kind].search(text.trim(), controller.signal).then(
          (found) => setState({ requested, found }),
          (error) => {
            if (controller.signal.aborted) return;
            noteUnreachable(error);
            setState({ requested, error });
          },
        );
      },
      text ? TYPING_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [kind, text]);
  return (
    <Dialog title={`${t('blocks.choose')}: ${label}`} close={close}>
      <div class="list-bar">
        {!target && (
          <select
            class="filter"
            aria-label={t('blocks.target')}
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value as Target)}
          >
            {TARGETS.map((each) => (
              <option key={each} value={each}>
                {t(`blocks.${each}`)}
              </option>
            ))}
          </select>
        )}
        <search>
          <input
            type="search"
            aria-label={t('blocks.searchRecords')}
            placeholder={t('blocks.searchRecords')}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </search>
      </div>
      <Problem error={state.error} />
      {state.found?.length === 0 && <p>{t('parts.noResults')}</p>}
      <ul class="choices" aria-label={t(`blocks.${kind}`)} aria-busy={state.requested !== requested || undefined}>
        {state.found?.map((record) => (
          <li key={record.id}>
            <button
              type="button"
              class="quiet"
              aria-pressed={chosen.includes(record.id)}
              onClick={() => choose(record)}
            >
              {record.name}
            </button>
          </li>
        ))}
      </ul>
      <div class="actions end">
        <button type="button" class="quiet" onClick={close}>
          {t('parts.close')}
        </button>
      </div>
    </Dialog>
  );
}
