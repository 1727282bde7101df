/** How many random cases a test tries: few in `npm test`, and many in `npm run test:thorough`, which runs every file that imports this one. */
export const casesOf = (few: number, many: number): number => (process.env.THOROUGH ? many : few);
