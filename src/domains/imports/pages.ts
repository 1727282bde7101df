/** Records per statement: few enough that other requests don't wait. */
const PAGE = 100;

/** Iterates over all records of a list that is paginated by ID. */
export async function* pages<T extends { id: string }>(
  list: (after: string, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let after = ''; ; ) {
    const page = await list(after, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}
