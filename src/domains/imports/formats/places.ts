/** Where the fields of a converted record are in the file. Plain data, because records are converted in a thread. Pure. */

export type Places = {
  row: number;
  /** The columns of fields that have another name in the file, by path without indexes or by the first parts of it. */
  columns?: Record<string, string>;
  /** The rows of the elements of a list: of `variants` or `lines`. */
  list?: { name: string; rows: readonly number[] };
  /** The IDs of the blocks in their order, and the column of a block: its ID, `blocks.<id>` or `blocks`. */
  blocks?: { ids: readonly string[]; column: 'ID' | 'PREFIXED' | 'WHOLE' };
  /** Fields without a column are reported by the first part of their path. */
  isFlat?: boolean;
};

/** Finds the row and column of an invalid field. */
export function locateField({ row, columns = {}, list, blocks, isFlat }: Places, field: string) {
  const [, name, index = ''] = /^([a-z]+)\[(\d{1,6})\]/i.exec(field) ?? [];
  const ownRow = list && name === list.name ? list.rows[Number(index)] : undefined;
  const path = field.replaceAll(/\[\d+\]/g, '');
  const [root = field, second] = path.split('.');
  const block = blocks && blockColumn(blocks, field);
  const column = block ?? columns[path] ?? columns[`${root}.${second}`] ?? columns[root];
  return { row: ownRow ?? row, field: column ?? (isFlat ? root : field) };
}

/** The column of the block that the path names: `blocks[1].value` or `blocks.title`. */
function blockColumn({ ids, column }: NonNullable<Places['blocks']>, path: string): string | undefined {
  const [, index, name] = /^blocks(?:\[(\d{1,6})\]|\.([\w:-]+))/.exec(path) ?? [];
  const id = index === undefined ? name : ids[Number(index)];
  if (id === undefined) return undefined;
  return column === 'WHOLE' ? 'blocks' : column === 'ID' ? id : `blocks.${id.toLowerCase()}`;
}
