/** Escapes characters that would end the row or, outside of code, start an HTML element. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/`[^`]*`|</g, (match) => (match === '<' ? '&lt;' : match))
    .replaceAll('\n', ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n');
}

export const code = (text: string) => `\`${text}\``;

/** Groups in the order of their first item. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, key)];
}
