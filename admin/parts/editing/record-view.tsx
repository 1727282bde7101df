/** `RecordNotices` (draft, errors, conflict) goes above the fields in a form, `SaveBar` below them. */
import { useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { Problem } from '../problem.tsx';
import { dateTime } from '../show.tsx';
import type { FormRecord } from './use-record.ts';

type NoticesProps<T extends object> = {
  record: FormRecord<T>;
  /** Labels of the fields, and how to format their values, in the conflict dialog. */
  names?: Partial<Record<keyof T, string>>;
  show?: (name: keyof T, value: unknown) => string;
};

export function RecordNotices<T extends object>({ record, names = {}, show }: NoticesProps<T>) {
  const { draft, error, conflict } = record;
  return (
    <>
      {draft && (
        <div class="notice" role="status">
          <p>{t('parts.draftFound', { time: dateTime(draft.at) })}</p>
          <div class="actions">
            <button type="button" onClick={record.restoreDraft}>
              {t('parts.draftRestore')}
            </button>
            <button type="button" class="quiet" onClick={record.dropDraft}>
              {t('parts.draftDiscard')}
            </button>
          </div>
        </div>
      )}
      <Problem
        error={error}
        fields
        names={names as Record<string, string>}
        retry={record.values ? undefined : () => void record.reload()}
      />
      {conflict && <ConflictDialog record={record} names={names} show={show} />}
    </>
  );
}

const plain = (_name: unknown, value: unknown) =>
  typeof value === 'string' ? value : value == null ? '–' : JSON.stringify(value, null, 1);

function ConflictDialog<T extends object>({ record, names = {}, show = plain }: NoticesProps<T>) {
  const { conflict } = record;
  const [mine, setMine] = useState<ReadonlySet<keyof T>>(new Set(conflict!.overlap));
  const choose = (name: keyof T, isMine: boolean) => {
    const next = new Set(mine);
    if (isMine) next.add(name);
    else next.delete(name);
    setMine(next);
  };
  const { theirs, merged, overlap } = conflict!;
  return (
    <Dialog title={t('parts.conflictTitle')} close={record.leaveConflict} wide>
      <p>{t('parts.conflictText')}</p>
      {overlap.map((name) => {
        const label = (names as Record<keyof T, string | undefined>)[name] ?? String(name);
        const sides = [
          [true, t('parts.conflictMine'), merged[name]],
          [false, t('parts.conflictTheirs'), theirs.values[name]],
        ] as const;
        return (
          <fieldset key={String(name)} class="conflict">
            <legend>{label}</legend>
            {sides.map(([isMine, text, value]) => (
              <label key={text}>
                <input
                  type="radio"
                  name={`conflict-${String(name)}`}
                  checked={mine.has(name) === isMine}
                  onChange={() => choose(name, isMine)}
                />
                <span>{text}</span>
                <pre>{show(name, value)}</pre>
              </label>
            ))}
          </fieldset>
        );
      })}
      <div class="actions end">
        <button type="button" class="quiet" onClick={record.leaveConflict}>
          {t('parts.cancel')}
        </button>
        <button type="button" onClick={() => record.resolve(mine)}>
          {t('parts.conflictSave')}
        </button>
      </div>
    </Dialog>
  );
}

/** The save button and whether there are unsaved changes. Sticks to the bottom of the page. */
export function SaveBar<T extends object>({ record }: { record: FormRecord<T> }) {
  const { isChanged, isSaving, isNew } = record;
  return (
    <div class="save-bar" data-changed={isChanged || isNew}>
      <p role="status">{isSaving ? t('parts.saving') : isChanged ? t('parts.unsaved') : ''}</p>
      {isChanged && !isNew && (
        <button type="button" class="quiet" onClick={record.discard} disabled={isSaving}>
          {t('parts.discard')}
        </button>
      )}
      <button
        type="button"
        onClick={() => (isChanged || isNew) && record.save()}
        // A disabled button would lose the focus after each save.
        aria-disabled={isSaving || (!isChanged && !isNew) || undefined}
        aria-keyshortcuts="Control+S"
      >
        {t('parts.save')}
      </button>
    </div>
  );
}
