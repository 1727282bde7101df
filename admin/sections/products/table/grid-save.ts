/** Saves a table: one request per product, with the version shown. Invalid cells get an error; all others are saved. */
import { isSoukError, type ListedProduct, type Product, type ProductChanges, type VariantInput } from '@souk/client';
import { errorSentence, messageOf } from '../../../parts/problem.tsx';
import { addStatus, parseMoney } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { type Change, cellKey, type Sheet, storedText } from './grid-model.ts';

type Saved = { products: Product[]; saved: Change[]; problems: Map<string, string> };

const CONCURRENCY = 6;
const MAX_TRIES = 4;

export async function saveSheet(sheet: Sheet): Promise<Saved> {
  const work = [...changesByProduct(sheet).values()];
  const result: Saved = { products: [], saved: [], problems: new Map(sheet.problems) };
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let changes = work.pop(); changes; changes = work.pop()) await saveProduct(changes, result);
    }),
  );
  return result;
}

function changesByProduct(sheet: Sheet): Map<string, Change[]> {
  const groups = new Map<string, Change[]>();
  for (const row of sheet.rows) {
    for (const column of sheet.columns) {
      const key = cellKey(row, column);
      const text = sheet.edits.get(key);
      if (text === undefined || sheet.problems.has(key)) continue;
      if (!groups.has(row.product.id)) groups.set(row.product.id, []);
      groups.get(row.product.id)!.push({ row, column, text });
    }
  }
  return groups;
}

async function saveProduct(given: Change[], result: Saved): Promise<void> {
  const { id } = given[0]!.row.product;
  let product: ListedProduct = given[0]!.row.product;
  let fields = given.filter(({ column }) => column.kind !== 'stock');
  for (let attempt = 1; fields.length > 0; attempt++) {
    try {
      product = await souk.products.update(id, toChanges(product, fields), { ifMatch: product });
      result.saved.push(...fields);
      break;
    } catch (error) {
      const wrong = attempt < MAX_TRIES ? await wrongCells(error, product, fields) : null;
      if (!wrong) return addErrors(fields, error, result);
      product = wrong.product;
      for (const [change, message] of wrong.cells) result.problems.set(cellKey(change.row, change.column), message);
      fields = fields.filter((change) => !wrong.cells.has(change));
    }
  }
  let isNewest = true;
  for (const change of given.filter(({ column }) => column.kind === 'stock')) {
    const { row } = change;
    try {
      // Adjusts by the difference, so that concurrent sales are kept.
      const adjust = Number(change.text) - Number(storedText(row, change.column));
      await souk.products.adjustStock(id, row.variant.id, { adjust });
      result.saved.push(change);
      isNewest = false;
    } catch (error) {
      addErrors([change], error, result);
    }
  }
  result.products.push(isNewest ? product : await souk.products.get(id));
}

function addErrors(changes: Change[], error: unknown, { problems }: Saved): void {
  const message = error instanceof Error ? errorSentence(error) : String(error);
  for (const { row, column } of changes) problems.set(cellKey(row, column), message);
}

/** The cells that caused an error, and the product to retry with. Null if no cell did. */
async function wrongCells(
  error: unknown,
  product: ListedProduct,
  changes: Change[],
): Promise<{ product: ListedProduct; cells: Map<Change, string> } | null> {
  const cells = new Map<Change, string>();
  if (isSoukError(error, 'PRECONDITION_FAILED')) {
    const newest = await souk.products.get(product.id);
    for (const change of changes) {
      const variant = newest.variants.find(({ id }) => id === change.row.variant.id);
      const now = variant && storedText({ ...change.row, product: newest, variant }, change.column);
      if (now !== storedText(change.row, change.column)) cells.set(change, t('products.theyChanged'));
    }
    return { product: newest, cells };
  }
  if (!isSoukError(error, 'VALIDATION_FAILED')) return null;
  for (const detail of error.details) {
    for (const change of changes) if (isField(change, detail.field, product)) cells.set(change, messageOf(detail));
  }
  return cells.size > 0 ? { product, cells } : null;
}

function isField({ row, column }: Change, field: string, product: Product): boolean {
  if (column.kind === 'name') return field === 'name';
  if (column.kind === 'status') return field.startsWith('statuses');
  const start = `variants[${product.variants.findIndex(({ id }) => id === row.variant.id)}].`;
  if (!field.startsWith(start)) return false;
  const rest = field.slice(start.length);
  if (column.kind === 'variant') return rest === 'name';
  return column.kind === 'sku' ? rest === 'sku' : rest.startsWith('pricing');
}

function toChanges(product: ListedProduct, changes: Change[]): ProductChanges {
  const result: ProductChanges = {};
  const byVariant = new Map<string, Change[]>();
  for (const change of changes) {
    const { column, text, row } = change;
    if (column.kind === 'name') result.name = text;
    else if (column.kind === 'status') result.statuses = addStatus(product.statuses, text.trim().toUpperCase());
    else byVariant.set(row.variant.id, [...(byVariant.get(row.variant.id) ?? []), change]);
  }
  if (byVariant.size > 0) {
    result.variants = product.variants.map((variant) => {
      // Without `inventory`, the stock doesn't change.
      const { inventory: _, ...rest } = variant;
      const next: VariantInput = { ...rest, pricing: { markets: [...variant.pricing.markets] } };
      for (const change of byVariant.get(variant.id) ?? []) apply(next, change);
      return next;
    });
  }
  return result;
}

function apply(variant: VariantInput, { column, text }: Change): void {
  if (column.kind === 'variant') variant.name = text;
  else if (column.kind === 'sku') variant.sku = text;
  else if (column.kind === 'price') {
    const { id: marketId, currency } = column.market;
    const isSameMarket = (each: { marketId: string }) => each.marketId.toLowerCase() === marketId.toLowerCase();
    const markets = variant.pricing!.markets!;
    const previous = markets.find(isSameMarket);
    const price = parseMoney(text, currency);
    const others = markets.filter((each) => !isSameMarket(each));
    variant.pricing = { markets: price === null ? others : [...others, { ...previous, marketId, currency, price }] };
  }
}
