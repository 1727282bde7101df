import { money, statusText } from '../../../parts/show.tsx';
import { t } from '../../../text/index.ts';
import { type Column, cellKey, cellText, isEditable, type Row, type Sheet } from './grid-model.ts';

export function headOf(column: Column): string {
  if (column.kind === 'price') return t('products.priceIn', { market: column.market.name });
  return t(`products.${column.kind}`);
}

function focusOnce(input: HTMLInputElement | null): void {
  if (input && document.activeElement !== input) input.focus();
}

/** Shown for reduced prices. */
function lowestText({ variant }: Row, column: Column): string | undefined {
  if (column.kind !== 'price') return undefined;
  const { id } = column.market;
  const price = variant.pricing.markets.find(({ marketId }) => marketId.toLowerCase() === id.toLowerCase());
  if (price?.lowestPrice30 === undefined) return undefined;
  return t('products.lowest30', { price: money(price.lowestPrice30, price.currency) });
}

type CellProps = {
  name: string;
  sheet: Sheet;
  row: Row;
  column: Column;
  isHere: boolean;
  isChosen: boolean;
  typed: string | null;
  type: (text: string) => void;
  commit: () => void;
  choose: (extend: boolean) => void;
  open: () => void;
};

export function Cell(props: CellProps) {
  const { sheet, row, column, isHere, isChosen, typed, type, commit, choose, open } = props;
  const key = cellKey(row, column);
  const problem = sheet.problems.get(key);
  const text = cellText(sheet, row, column);
  const shown = column.kind === 'status' && text ? statusText(text.toUpperCase()) : text;
  const label = `${headOf(column)}, ${row.product.name}, ${row.variant.name}`;
  const classes = [
    (column.kind === 'price' || column.kind === 'stock') && 'number',
    isChosen && 'chosen',
    sheet.edits.has(key) && 'edited',
    !isEditable(row, column) && 'fixed',
  ];
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a focusable td is a grid cell.
      role="gridcell"
      class={classes.filter(Boolean).join(' ')}
      data-cell={props.name}
      tabIndex={isHere ? 0 : -1}
      aria-selected={isChosen}
      aria-readonly={!isEditable(row, column)}
      aria-invalid={problem ? true : undefined}
      aria-label={problem ? `${label}: ${text}. ${problem}` : undefined}
      title={problem ?? lowestText(row, column)}
      onPointerDown={(event) => choose(event.shiftKey)}
      onDblClick={open}
    >
      {typed === null ? (
        <span>{shown}</span>
      ) : (
        <input
          aria-label={label}
          value={typed}
          ref={focusOnce}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={commit}
        />
      )}
      {problem && typed === null && <small class="cell-problem">{problem}</small>}
    </td>
  );
}
