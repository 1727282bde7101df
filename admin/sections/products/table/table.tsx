/** "Edit as table": a grid with typing, pasting, fill down and undo, and one save for all cells. */
import type { ListedProduct } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Draft, draftsOf } from '../../../parts/editing/drafts.ts';
import { forget, noteUnreachable } from '../../../parts/load.ts';
import { PageFrame } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { dateTime } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useSaveKey } from '../../../shell/keys.tsx';
import { address } from '../../../shell/router.ts';
import { business, me, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { marketColumns } from '../form.ts';
import { filtersOf } from '../list.tsx';
import { Grid } from './grid.tsx';
import { accept, type Change, cellKey, columnsOf, rowsOf, type Sheet, storedText, undo, write } from './grid-model.ts';
import { saveSheet } from './grid-save.ts';

/** The maximum number of variants in the table. To edit others, filter the product list. */
const MAX_ROWS = 5000;
const DRAFT_MS = 300;
const draftKey = () => `table ${business.peek()?.id}`;

export default function ProductTable() {
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [count, setCount] = useState<number | null>(0);
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const [isCut, setCut] = useState(false);
  const [drafts] = useState(() => draftsOf(me.peek()!.id));
  const [draft, setDraft] = useState<Draft<[string, string][]> | null>(null);
  const search = useRef(address.peek().search).current;
  const latest = useRef(sheet);
  latest.current = sheet;
  const change = (next: Sheet) => {
    latest.current = next;
    setSheet(next);
  };

  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).catch((problem) => {
      if (controller.signal.aborted) return;
      noteUnreachable(problem);
      setError(problem);
    });
    return () => controller.abort();
  }, []);

  async function load(signal: AbortSignal): Promise<void> {
    const products: ListedProduct[] = [];
    let rows = 0;
    const filters = filtersOf(Object.fromEntries(new URLSearchParams(search)));
    const sort = filters.query ? {} : { sort: 'oldest' as const };
    for await (const { items, cursor } of souk.products.list({ limit: 100, ...filters, ...sort }, { signal }).pages()) {
      products.push(...items);
      rows += items.reduce((sum, { variants }) => sum + variants.length, 0);
      setCount(rows);
      setCut(cursor !== null && rows >= MAX_ROWS);
      if (rows >= MAX_ROWS) break;
    }
    setCount(null);
    const columns = columnsOf(marketColumns(products));
    change({ columns, rows: rowsOf(products), edits: new Map(), problems: new Map(), past: [] });
    setDraft((await drafts.read<[string, string][]>(draftKey())) ?? null);
  }

  /** Cells of products that are no longer in the table are left out. */
  function restoreDraft(): void {
    const typed = new Map(draft!.values);
    const { rows, columns } = latest.current!;
    const changes = rows.flatMap((row) =>
      columns.flatMap((column) => {
        const text = typed.get(cellKey(row, column));
        return text === undefined ? [] : [{ row, column, text }];
      }),
    );
    setDraft(null);
    change(write(latest.current!, changes));
  }

  function dropDraft(): void {
    setDraft(null);
    void drafts.delete(draftKey());
  }

  async function save(): Promise<void> {
    const before = latest.current;
    if (!before || isSaving || before.edits.size === 0) return;
    setSaving(true);
    setError(undefined);
    try {
      const { products, saved, problems } = await saveSheet(before);
      const previous = saved.map((each) => ({ ...each, text: storedText(each.row, each.column) }));
      const edits = new Map(latest.current!.edits);
      for (const { row, column } of saved) edits.delete(cellKey(row, column));
      change(accept({ ...latest.current!, edits, problems, past: [] }, products));
      forget('list products');
      report(products.length, problems.size, previous);
    } catch (problem) {
      noteUnreachable(problem);
      setError(problem);
    } finally {
      setSaving(false);
    }
  }

  function report(products: number, wrong: number, previous: Change[]): void {
    if (previous.length > 0) toast(t('products.cellsSaved', { count: products }), { undo: () => restore(previous) });
    if (wrong > 0) toast(t('products.cellsWrong', { count: wrong }));
  }

  /** Restores the previous values and saves them. */
  async function restore(previous: Change[]): Promise<void> {
    const rows = new Map(latest.current!.rows.map((row) => [row.key, row]));
    const changes = previous.flatMap((each) => {
      const row = rows.get(each.row.key);
      return row ? [{ ...each, row }] : [];
    });
    const clean = { ...latest.current!, edits: new Map(), problems: new Map() };
    const { products } = await saveSheet(write(clean, changes));
    change(accept(latest.current!, products));
    forget('list products');
    toast(t('parts.undone'));
  }

  useSaveKey(save);
  const edits = sheet?.edits.size ?? 0;
  // An offered draft is kept until the user decides.
  useEffect(() => {
    if (!sheet || draft) return;
    const timer = setTimeout(() => {
      if (edits === 0) drafts.delete(draftKey());
      else drafts.write(draftKey(), [...sheet.edits]);
    }, DRAFT_MS);
    return () => clearTimeout(timer);
  }, [sheet?.edits, draft]);
  useEffect(() => {
    if (edits === 0) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [edits > 0]);

  return (
    <PageFrame title={t('products.table')} back={`/products${search}`}>
      <Problem error={error} />
      {draft && sheet && (
        <div class="notice" role="status">
          <p>{t('parts.draftFound', { time: dateTime(draft.at) })}</p>
          <div class="actions">
            <button type="button" onClick={restoreDraft}>
              {t('parts.draftRestore')}
            </button>
            <button type="button" class="quiet" onClick={dropDraft}>
              {t('parts.draftDiscard')}
            </button>
          </div>
        </div>
      )}
      {isCut && sheet && <p class="notice">{t('products.tableCut', { count: sheet.rows.length })}</p>}
      <p class="quiet small">{t('products.tableHint')}</p>
      {count !== null && !error && (
        <>
          <p role="status">{t('products.tableLoading', { count })}</p>
          <SkeletonRows />
        </>
      )}
      {sheet && <Grid sheet={sheet} change={change} />}
      {sheet && (
        <div class="save-bar" data-changed={edits > 0}>
          <p role="status">{edits > 0 ? t('products.cellsChanged', { count: edits }) : ''}</p>
          <button type="button" class="quiet" disabled={sheet.past.length === 0} onClick={() => change(undo(sheet))}>
            {t('parts.undo')}
          </button>
          <button type="button" disabled={isSaving || edits === 0} onClick={save}>
            {t('parts.save')}
          </button>
        </div>
      )}
    </PageFrame>
  );
}
