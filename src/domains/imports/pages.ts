/** Records that one statement reads: few enough that requests in between do not wait. */
const PAGE = 100;

/** Goes through all records of a list that is read from after an id on. */
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
