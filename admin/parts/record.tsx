/**
 * A record in a form, from which no edit is lost. `useRecord({ key, load, save })` loads values and their version, keeps a local draft
 * while somebody types and offers it again, saves what was changed with If-Match, and merges on 412: fields that only one side has
 * changed are taken, for the others a dialog shows mine and theirs. Show `<RecordNotices record={record} names={…} />` above the
 * fields and `<SaveBar record={record} />` below; Ctrl/⌘ S saves. For a new record leave `load` out and give `initial`.
 *
 *   const record = useRecord({
 *     key: `product ${id}`,                       // names the draft and the cache entry
 *     load: async (signal) => { const p = await souk.products.get(id, { signal }); return { values: toForm(p), etag: p.etag }; },
 *     save: async (changes, { ifMatch }) => { const p = await souk.products.update(id, changes, { ifMatch }); return { values: toForm(p), etag: p.etag }; },
 *   });
 *   <TextField label={t('…')} {...record.bind('name')} />
 */
import { isSoukError } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSaveKey } from '../shell/keys.tsx';
import { business, me } from '../shell/session.ts';
import { t } from '../text/index.ts';
import { Dialog } from './dialog.tsx';
import { type Draft, draftsOf } from './drafts.ts';
import type { Bound } from './form.tsx';
import { isAway, noteAway, readCache, saysAway, writeCache } from './load.ts';
import { changedFields, merge, same } from './merge.ts';
import { Problem, problemOf } from './problem.tsx';
import { dateTime } from './show.tsx';
import { toast } from './toast.tsx';

const DRAFT_MS = 300;
const MOST_MERGES = 5;

export type Version<T> = {
  values: T;
  etag?: string | undefined;
  /** Of a new record that was saved: the key of its own page, which offers what was typed meanwhile. */
  key?: string | undefined;
};

export type RecordOptions<T extends object> = {
  key: string;
  /** Leave it out for a new record. */
  load?: (signal: AbortSignal) => Promise<Version<T>>;
  /** What the form begins with when there is nothing to load. */
  initial?: T;
  /** `changes` are the fields that differ from what was loaded (all of them for a new record), `values` all. */
  save: (changes: Partial<T>, options: { ifMatch?: string | undefined; values: T }) => Promise<Version<T>>;
  /** After it was saved, for example to go to the page of a new record. */
  saved?: (version: Version<T>) => void;
};

type Conflict<T> = { theirs: Version<T>; merged: T; overlap: (keyof T)[] };

export type FormRecord<T extends object> = ReturnType<typeof useRecord<T>>;

export function useRecord<T extends object>({ key: given, load, initial, save, saved }: RecordOptions<T>) {
  // Ids differ between businesses, the keys of new records do not.
  const key = load ? given : `${given} ${business.peek()?.id}`;
  const [drafts] = useState(() => draftsOf(me.peek()!.id));
  /** Where unsaved edits are stored. */
  const draftKey = useRef(key);
  const isBusy = useRef(false);
  const cached = () => (load ? readCache<Version<T>>(key) : initial && { values: initial });
  const [base, setBase] = useState<Version<T> | undefined>(cached);
  const [values, setValues] = useState<T | undefined>(() => cached()?.values);
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  const [conflict, setConflict] = useState<Conflict<T> | null>(null);
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  // What handlers that outlive a rendering look at.
  const now = useRef({ base, values });
  now.current = { base, values };
  const changed = base && values ? changedFields(base.values, values) : [];
  const isChanged = changed.length > 0;

  /** What was typed after `sent` left stays, as a change of this version. True: there is such. */
  function accept(version: Version<T>, sent?: T): boolean {
    if (load) writeCache(key, version);
    const typed = now.current.values;
    const later = sent && typed ? changedFields(sent, typed) : [];
    const next = { ...version.values };
    for (const name of later) next[name] = typed![name];
    setBase(version);
    setValues(next);
    now.current = { base: version, values: next };
    return later.length > 0;
  }

  function begin(): () => void {
    const controller = new AbortController();
    const offer = (version: Version<T>) =>
      drafts.read<T>(key).then((found) => {
        if (found && !controller.signal.aborted && !same(found.values, version.values)) setDraft(found);
        else if (found) drafts.delete(key);
      });
    draftKey.current = key;
    setError(undefined);
    if (!load) {
      if (initial) offer({ values: initial });
      return () => controller.abort();
    }
    load(controller.signal).then(
      (version) => {
        if (controller.signal.aborted) return;
        const { base: former, values: typed } = now.current;
        // Somebody types already, on what the cache had: a save will merge.
        if (former && typed && changedFields(former.values, typed).length > 0) return;
        accept(version);
        offer(version);
      },
      (problem) => {
        if (controller.signal.aborted) return;
        noteAway(problem);
        setError(problem);
      },
    );
    return () => controller.abort();
  }

  useEffect(begin, [key]);
  const isBack = !isAway.value;
  useEffect(() => {
    if (isBack && error && !now.current.base) return begin();
    if (isBack && saysAway(error)) setError(undefined);
  }, [isBack]);

  useEffect(() => {
    if (!values || draft) return;
    if (!isChanged) return;
    // What was saved meanwhile is no draft any more.
    const keep = () => {
      const typed = now.current;
      if (typed.base && typed.values && changedFields(typed.base.values, typed.values).length > 0)
        drafts.write(draftKey.current, typed.values);
    };
    const timer = setTimeout(keep, DRAFT_MS);
    return () => {
      clearTimeout(timer);
      keep();
    };
  }, [values, isChanged]);

  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);

  async function store(next: T, on: Version<T>, merges = 0, sent = next): Promise<void> {
    const names = load ? changedFields(on.values, next) : (Object.keys(next) as (keyof T)[]);
    const changes = Object.fromEntries(names.map((name) => [name, next[name]])) as Partial<T>;
    try {
      const version = await save(changes, { ifMatch: on.etag, values: next });
      if (version.key) draftKey.current = version.key;
      if (!accept(version, sent) || version.key) await drafts.delete(key);
      setDraft(null);
      toast(merges > 0 ? t('parts.merged') : t('parts.saved'));
      saved?.(version);
    } catch (problem) {
      if (!load || !isSoukError(problem, 'PRECONDITION_FAILED') || merges >= MOST_MERGES) throw problem;
      const theirs = await load(new AbortController().signal);
      const { merged, overlap } = merge(on.values, next, theirs.values);
      if (overlap.length === 0) return store(merged, theirs, merges + 1, sent);
      setConflict({ theirs, merged, overlap });
    }
  }

  async function run(work: () => Promise<void>): Promise<void> {
    // A new record that was saved is not made a second time, however long its page stays.
    if (isBusy.current || draftKey.current !== key) return;
    isBusy.current = true;
    setSaving(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      noteAway(problem);
      setError(problem);
      focusProblem();
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }

  const saveNow = () =>
    run(async () => {
      const { base: on, values: next } = now.current;
      if (on && next) await store(next, on);
    });

  useSaveKey(saveNow);

  return {
    key,
    isNew: !load,
    /** Undefined until they are loaded. */
    values,
    /** What was loaded or saved last. */
    base: base?.values,
    etag: base?.etag,
    isChanged,
    isSaving,
    error,
    draft,
    conflict,
    set<K extends keyof T>(name: K, value: T[K]): void {
      const next = { ...now.current.values!, [name]: value };
      now.current.values = next;
      setValues(next);
    },
    /** Value, handler and problem of a field. `field` is its name in the service's errors, when that differs. */
    bind<K extends keyof T & string>(name: K, field: string = name): Bound<T[K]> {
      const set = (value: T[K]) => {
        const next = { ...now.current.values!, [name]: value };
        now.current.values = next;
        setValues(next);
      };
      return { value: values![name], onInput: set, problem: problemOf(error, field) };
    },
    problem: (field: string) => problemOf(error, field),
    save: saveNow,
    discard() {
      drafts.delete(key);
      setError(undefined);
      if (now.current.base) setValues(now.current.base.values);
    },
    reload: begin,
    restoreDraft() {
      if (draft) setValues(draft.values);
      setDraft(null);
    },
    dropDraft() {
      drafts.delete(key);
      setDraft(null);
    },
    /** `mine`: the fields of the overlap in which mine counts. */
    resolve(mine: ReadonlySet<keyof T>) {
      if (!conflict) return;
      const { theirs, merged, overlap } = conflict;
      const chosen = { ...merged };
      for (const name of overlap) if (!mine.has(name)) chosen[name] = theirs.values[name];
      setConflict(null);
      setBase(theirs);
      setValues(chosen);
      if (changedFields(theirs.values, chosen).length === 0) {
        drafts.delete(key);
        accept(theirs);
      } else run(() => store(chosen, theirs));
    },
    leaveConflict: () => setConflict(null),
  };
}

/** The first field that is marked, once it is. */
function focusProblem(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
}

type NoticesProps<T extends object> = {
  record: FormRecord<T>;
  /** Names of fields for the conflict view, and how to show a value there. */
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
      <Problem error={error} fields retry={record.values ? undefined : () => void record.reload()} />
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

/** "Save", and whether there is something to save. It stays in sight. */
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
      <button type="button" onClick={record.save} aria-disabled={isSaving || undefined} aria-keyshortcuts="Control+S">
        {t('parts.save')}
      </button>
    </div>
  );
}
