/** Unsaved edits in IndexedDB. They survive a crash, a closed tab and an expired login. Without IndexedDB there are none. */
export type Draft<T> = { values: T; at: number };

const STORE = 'drafts';
let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('souk-admin', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<T | undefined> {
  try {
    const db = await open();
    return await new Promise((resolve, reject) => {
      const request = work(db.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result as T);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}

/** Drafts belong to a user: someone else who logs in to the same browser is not offered them. */
export function draftsOf(userId: string) {
  const own = (key: string) => `${userId} ${key}`;
  return {
    read: <T>(key: string) => run<Draft<T>>('readonly', (store) => store.get(own(key))),
    write: <T>(key: string, values: T) =>
      run('readwrite', (store) =>
        store.put({ values, at: Math.floor(Date.now() / 1000) } satisfies Draft<T>, own(key)),
      ),
    delete: (key: string) => run('readwrite', (store) => store.delete(own(key))),
  };
}
