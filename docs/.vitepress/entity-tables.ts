import type { MarkdownRenderer } from 'vitepress';

/** Shows the Mermaid diagrams of schema.md as tables, because rendering them requires 280 MB of packages. */
export function entityTables(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, i, ...rest) => {
    const { info, content } = tokens[i]!;
    return info.trim() === 'mermaid' ? tablesOf(content) : fence(tokens, i, ...rest);
  };
}

function tablesOf(diagram: string): string {
  const entities = [...diagram.matchAll(/^ {2}(\w+) \{\n(.*?)^ {2}\}$/gms)].map(([, name, columns]) => {
    const rows = columns!
      .trim()
      .split('\n')
      .map((column) => {
        const [type, field, key = ''] = column.trim().split(' ');
        return `<tr><td><code>${field}</code></td><td>${type}</td><td>${key}</td></tr>`;
      });
    return `<details><summary><code>${name}</code></summary><table><tbody>${rows.join('')}</tbody></table></details>`;
  });
  const relations = [...diagram.matchAll(/^ {2}(\w+) \S*--\S* (\w+)/gm)].map(
    ([, parent, child]) => `<li><code>${child}</code> belongs to <code>${parent}</code></li>`,
  );
  return entities.join('\n') + (relations.length > 0 ? `<ul>${relations.join('')}</ul>` : '');
}
