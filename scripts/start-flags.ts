import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The flags of Node with which `npm start` starts the service, for those who start it otherwise. */
export const START_FLAGS: string[] = scripts.start.match(/ --\S+/g).map((flag: string) => flag.trim());
