/** Finds the tags of HTML in linear time, whatever the text contains. Pure. */

export type Tag = {
  /** As written. Empty for comments, declarations and text between angle brackets. */
  name: string;
  isClosing: boolean;
  /** As written, with a leading space, without the slash of an empty element. */
  attributes: string;
  start: number;
  end: number;
};

const NAME = /^\/?([a-z][a-z0-9]*)/i;

/** Yields each `<…>` that contains no other `<`. Never searches the same text twice. */
export function* tagsOf(html: string): Generator<Tag> {
  let close = 0;
  for (let start = html.indexOf('<'); start !== -1; ) {
    if (close <= start) close = html.indexOf('>', start);
    if (close === -1) return;
    const next = html.indexOf('<', start + 1);
    if (next === -1 || close < next) yield tagAt(html, start, close);
    start = next;
  }
}

function tagAt(html: string, start: number, close: number): Tag {
  const inner = html.slice(start + 1, close);
  const [whole = '', name = ''] = NAME.exec(inner) ?? [];
  const end = inner.endsWith('/') ? -1 : inner.length;
  return {
    name,
    isClosing: whole.startsWith('/'),
    attributes: inner.slice(whole.length, end).trimEnd(),
    start,
    end: close + 1,
  };
}

/** Replaces tags. `replace` returns null to keep a tag. */
export function replaceTags(html: string, replace: (tag: Tag) => string | null): string {
  const parts: string[] = [];
  let at = 0;
  for (const tag of tagsOf(html)) {
    const replaced = replace(tag);
    if (replaced === null) continue;
    parts.push(html.slice(at, tag.start), replaced);
    at = tag.end;
  }
  return parts.join('') + html.slice(at);
}
