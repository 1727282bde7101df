export type Page<T> = {
  items: T[];
  cursor: string | null;
  /** With `count: true`, the number of records on all pages. Capped at 10,000. */
  total?: number;
};

/**
 * The result of a list operation. It sends no request until you read it: page by page, or item by item with `for
 * await`.
 */
export class List<T> implements AsyncIterable<T> {
  #read: (cursor: string | null) => Promise<Page<T>>;

  constructor(read: (cursor: string | null) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The first page, or the page after `cursor` of the previous page. */
  page(cursor: string | null = null): Promise<Page<T>> {
    return this.#read(cursor);
  }

  async *pages(): AsyncGenerator<Page<T>, void> {
    let cursor: string | null = null;
    do {
      const page: Page<T> = await this.#read(cursor);
      yield page;
      cursor = page.cursor;
    } while (cursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** The first `max` items as an array. */
  async take(max: number): Promise<T[]> {
    const taken: T[] = [];
    for await (const { items } of this.pages()) {
      taken.push(...items.slice(0, max - taken.length));
      if (taken.length >= max) break;
    }
    return taken;
  }
}
