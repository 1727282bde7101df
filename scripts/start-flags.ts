import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The Node flags of `npm start`, for scripts that start the service themselves. */
export const START_FLAGS: string[] = scripts.start.match(/ --\S+/g).map((flag: string) => flag.trim());
