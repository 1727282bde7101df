/** What helpers of tests have to end when the tests of a file are over. Files share a process, and their helpers with it. */
const ends: (() => Promise<unknown>)[] = [];

export const afterEachFile = (end: () => Promise<unknown>) => void ends.push(end);

/** Called by `groups.ts` after everything that the file itself ends. */
export const endFile = () => Promise.all(ends.map((end) => end()));
