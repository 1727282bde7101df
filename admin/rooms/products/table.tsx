/** "Edit as table": a grid to type into, paste into, fill down and undo, with one save for all. */
import type { ListedProduct } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { forget, noteAway } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSaveKey } from '../../shell/keys.tsx';
import { address } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { marketColumns } from './form.ts';
import { Grid } from './grid.tsx';
import { accept, type Change, cellKey, columnsOf, rowsOf, type Sheet, storedText, undo, write } from './grid-model.ts';
import { saveSheet } from './grid-save.ts';
import { filtersOf } from './list.tsx';

/** More than one looks through in a table; search and filters of the list lead to others. */
const MOST_ROWS = 5000;

export default function ProductTable() {
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [count, setCount] = useState<number | null>(0);
  const [error, setError] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const [isCut, setCut] = useState(false);
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
      noteAway(problem);
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
      setCut(cursor !== null && rows >= MOST_ROWS);
      if (rows >= MOST_ROWS) break;
    }
    setCount(null);
    const columns = columnsOf(marketColumns(products));
    change({ columns, rows: rowsOf(products), edits: new Map(), problems: new Map(), past: [] });
  }

  async function save(): Promise<void> {
    const before = latest.current;
    if (!before || isSaving || before.edits.size === 0) return;
    setSaving(true);
    setError(undefined);
    try {
      const { products, saved, problems } = await saveSheet(before);
      const former = saved.map((each) => ({ ...each, text: storedText(each.row, each.column) }));
      const edits = new Map(latest.current!.edits);
      for (const { row, column } of saved) edits.delete(cellKey(row, column));
      change(accept({ ...latest.current!, edits, problems, past: [] }, products));
      forget('list products');
      tell(products.length, problems.size, former);
    } catch (problem) {
      noteAway(problem);
      setError(problem);
    } finally {
      setSaving(false);
    }
  }

  function tell(products: number, wrong: number, former: Change[]): void {
    if (former.length > 0) toast(t('products.cellsSaved', { count: products }), { undo: () => bringBack(former) });
    if (wrong > 0) toast(t('products.cellsWrong', { count: wrong }));
  }

  /** Writes what was stored before, and saves that. */
  async function bringBack(former: Change[]): Promise<void> {
    const rows = new Map(latest.current!.rows.map((row) => [row.key, row]));
    const changes = former.flatMap((each) => {
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
  useEffect(() => {
    if (edits === 0) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [edits > 0]);

  return (
    <PageFrame title={t('products.table')} back={`/products${search}`}>
      <Problem error={error} />
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
