/**
 * The record behind a form. No edit is lost: while someone types, a draft is kept in the browser and can be restored later. A save
 * sends the changed fields with If-Match. On 412 it loads the newer version and merges: a field that only one side changed keeps
 * that change, and a dialog asks about the others. Ctrl/⌘ S saves. For a new record, pass `initial` instead of `load`.
 * `record-view.tsx` has the notices and the save bar around the fields.
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
import { useSaveKey } from '../../shell/keys.tsx';
import { business, me } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import type { Bound } from '../form/field-frame.tsx';
import { isUnreachable, isUnreachableError, noteUnreachable, readCache, writeCache } from '../load.ts';
import { uploadsFinished } from '../media/uploads.tsx';
import { problemOf } from '../problem.tsx';
import { toast } from '../toast.tsx';
import { type Draft, draftsOf } from './drafts.ts';
import { changedFields, merge, same } from './merge.ts';

const DRAFT_MS = 300;
const MAX_MERGES = 5;

export type Version<T> = {
  values: T;
  etag?: string | undefined;
  /** Set after a new record is saved: the key of the record's page. Edits made during the save are offered there as a draft. */
  key?: string | undefined;
};

type RecordOptions<T extends object> = {
  key: string;
  /** Omitted for a new record. */
  load?: (signal: AbortSignal) => Promise<Version<T>>;
  /** The first values of a new record. */
  initial?: T;
  /** `changes` has the fields that differ from the loaded version, or all fields of a new record; `values` has all. */
  save: (changes: Partial<T>, options: { ifMatch?: string | undefined; values: T }) => Promise<Version<T>>;
  /** Called after a save, for example to open the page of a new record. */
  saved?: (version: Version<T>) => void;
};

type Conflict<T> = { theirs: Version<T>; merged: T; overlap: (keyof T)[] };

export type FormRecord<T extends object> = ReturnType<typeof useRecord<T>>;

export function useRecord<T extends object>({ key: given, load, initial, save, saved }: RecordOptions<T>) {
  // IDs are unique across businesses; the keys of new records are not.
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
  // The latest state, for handlers that outlive a render.
  const now = useRef({ base, values });
  now.current = { base, values };
  const changed = base && values ? changedFields(base.values, values) : [];
  const isChanged = changed.length > 0;

  /** Makes `version` the new base. Keeps edits made since `sent` was sent. Returns whether there are any. */
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
        const { base: cachedBase, values: typed } = now.current;
        // Someone is already editing the cached version: the save will merge.
        if (cachedBase && typed && changedFields(cachedBase.values, typed).length > 0) return;
        accept(version);
        offer(version);
      },
      (problem) => {
        if (controller.signal.aborted) return;
        noteUnreachable(problem);
        setError(problem);
      },
    );
    return () => controller.abort();
  }

  useEffect(begin, [key]);
  const isBack = !isUnreachable.value;
  useEffect(() => {
    if (isBack && error && !now.current.base) return begin();
    if (isBack && isUnreachableError(error)) setError(undefined);
  }, [isBack]);

  useEffect(() => {
    if (!values || draft || !isChanged) return;
    // Skips edits that were saved in the meantime.
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

  useLeaveWarning(isChanged);

  function set<K extends keyof T>(name: K, value: T[K]): void {
    const next = { ...now.current.values!, [name]: value };
    now.current.values = next;
    setValues(next);
  }

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
      if (!load || !isSoukError(problem, 'PRECONDITION_FAILED') || merges >= MAX_MERGES) throw problem;
      const theirs = await load(new AbortController().signal);
      const { merged, overlap } = merge(on.values, next, theirs.values);
      if (overlap.length === 0) return store(merged, theirs, merges + 1, sent);
      setConflict({ theirs, merged, overlap });
    }
  }

  async function run(work: () => Promise<void>): Promise<void> {
    // After a new record was saved, its form must not create a second one.
    if (isBusy.current || draftKey.current !== key) return;
    isBusy.current = true;
    setSaving(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      noteUnreachable(problem);
      setError(problem);
      focusProblem();
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }

  const saveNow = () =>
    run(async () => {
      // The field shows what failed.
      if (!(await uploadsFinished())) return;
      const { base: on, values: next } = now.current;
      if (on && next) await store(next, on);
    });

  useSaveKey(saveNow);

  return {
    key,
    isNew: !load,
    /** Undefined until loaded. */
    values,
    /** The version last loaded or saved. */
    base: base?.values,
    etag: base?.etag,
    isChanged,
    isSaving,
    error,
    draft,
    conflict,
    set,
    /** Properties for a field component. `field` is the field's name in error responses, if it differs. */
    bind: <K extends keyof T & string>(name: K, field: string = name): Bound<T[K]> => ({
      value: values![name],
      onInput: (value) => set(name, value),
      problem: problemOf(error, field),
    }),
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
    /** `mine`: the conflicting fields that keep this form's value. */
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

/** The browser asks before it closes a page with unsaved changes. */
function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

/** Focuses the first invalid field after the next render. */
function focusProblem(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
}
