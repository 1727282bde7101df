/**
 * postgres.js 3.4.9, mended while it is loaded. As published it does not survive the loss of a connection under load:
 *
 * - a statement issued on a connection that has just closed ends the whole process (porsager/postgres#1066, #1154, #1208);
 * - bytes that were waiting to be written at that moment keep the connection silent for ever after;
 * - a transaction that goes on after its connection was lost runs the rest of its statements on the connection that took its
 *   place, outside any transaction or inside somebody else's (#1216);
 * - statements issued between the error and the close of a socket are never answered;
 * - who waits to reserve a connection waits for ever when a closing one takes his place in the queue over;
 * - a connection that is lost while it asks for the types of the database ends the whole process, or is tried again without
 *   end and without a pause.
 *
 * And two things make it slow: it cuts what is issued in one go into pieces of 1 KB, each with a wake-up of PostgreSQL; and a
 * queue that is never empty, such as that of the connections that are busy, keeps a place for everything that was ever in it
 * and looks through all of them.
 *
 * Each edit must find its text exactly once, so that another version cannot be used by mistake.
 */
import { registerHooks } from 'node:module';

type Edit = readonly [from: string, to: string];

const CONNECTION: Edit[] = [
  ['    if (fn || chunk.length >= 1024)\n', '    if (fn || chunk.length >= 65536)\n'],
  [
    '    const x = socket.write(chunk, fn)\n',
    `    if (socket === null) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      query = null
      return false
    }
    const x = socket.write(chunk, fn)
`,
  ],
  [
    "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
    "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n",
  ],
  ['        return fetchArrayTypes()\n', '        return fetchArrayTypes().catch(noop)\n'],
  [
    '    if (initial)\n      return reconnect()\n',
    '    if (initial && options.host[retries + 1])\n      return reconnect()\n',
  ],
  [
    "    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
    `    if (query || sent.length || initial)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
`,
  ],
  ['        initial.reserve && (initial = null)\n', ''],
  [
    '      initial && !initial.reserve && execute(initial)\n      options.shared.retries = retries = 0\n      initial = null\n',
    `      const first = initial
      initial = null
      options.shared.retries = retries = 0
      first.reserve ? first.reserve(connection) : execute(first)
`,
  ],
];

const POOL: Edit[] = [
  [
    '        queries.push(query)\n        closed.length && connect(closed.shift(), query)\n',
    '        closed.length ? connect(closed.shift(), query) : queries.push(query)\n',
  ],
  ['      , prepare = null\n', '      , prepare = null\n      , lost = null\n'],
  [
    'new Promise((_, reject) => connection.onclose = reject)',
    'new Promise((_, reject) => connection.onclose = (e) => (lost = e, rejectAll(queries, e), reject(e)))',
  ],
  [
    '        c.queue === full\n          ? queries.push(q)\n',
    '        if (lost)\n          return q.reject(lost)\n\n        c.queue === full\n          ? queries.push(q)\n',
  ],
  [
    '    c.reserved.release = true\n',
    '    c.reserved.release = true\n    let lost = null\n    c.onclose = (e) => (lost = e, rejectAll(queue, e))\n',
  ],
  [
    '    sql.release = () => {\n      c.reserved = null\n',
    '    sql.release = () => {\n      if (lost)\n        return\n      c.onclose = null\n      c.reserved = null\n',
  ],
  [
    '      c.queue === full\n        ? queue.push(q)\n',
    '      if (lost)\n        return q.reject(lost)\n\n      c.queue === full\n        ? queue.push(q)\n',
  ],
  [
    'export default Postgres\n',
    'export default Postgres\n\nfunction rejectAll(queries, e) {\n  while (queries.length)\n    queries.shift().reject(e)\n}\n',
  ],
];

const QUEUE: Edit[] = [
  [
    '      const index = xs.indexOf(x)\n      return index === -1\n',
    '      const at = xs.indexOf(x, index)\n      return at === -1\n',
  ],
  ['xs.splice(index, 1)', 'xs.splice(at, 1)'],
  [
    '      } else {\n        xs[index - 1] = undefined\n',
    `      } else if (index === 256) {
        xs = xs.slice(index)
        index = 0
      } else {
        xs[index - 1] = undefined
`,
  ],
];

const EDITS: Record<string, Edit[]> = {
  '/postgres/src/connection.js': CONNECTION,
  '/postgres/src/index.js': POOL,
  '/postgres/src/queue.js': QUEUE,
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [, edits] = Object.entries(EDITS).find(([path]) => url.endsWith(path)) ?? [];
    return edits ? { ...loaded, source: edits.reduce(mend, String(loaded.source)) } : loaded;
  },
});

function mend(text: string, [from, to]: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error('This version of the package "postgres" is not the one that src/db/driver.ts mends.');
  return parts.join(to);
}

export const { default: postgres } = await import('postgres');
