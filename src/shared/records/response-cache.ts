import { type Caller, isMember } from '../security/caller.ts';
import type { SerializedJson } from './serializer.ts';

/** The size limits of the cache and of one response, in bytes. */
const MAX_TOTAL = 8_000_000;
const MAX_RESPONSE = 1_000_000;

/** Members of a business see more of a record than others: who set a status, and its schedule. */
export type Audience = 'member' | 'public';
/** An item in a list contains its ETag. A single record has it in a header. */
export type Form = 'record' | 'item';
export type View = `${Audience} ${Form}`;
/** Readers have access to a record that the public sees only in part. */
export type GatedView = View | `reader ${Form}`;

export const viewOf = ({ caller, businessId }: { caller: Caller; businessId: string }, form: Form): View =>
  `${isMember(caller, businessId) ? 'member' : 'public'} ${form}`;

/**
 * Caches serialized responses. Each belongs to a version of a record, and versions never change. A read first gets the current version
 * from the database, so no response is stale. Only a database that lost its last changes, as after a failover, can reuse a version.
 * In that case, call `clear`.
 */
export function createResponseCache<Cached extends { body: SerializedJson; bytes?: number }>() {
  const cached = new Map<string, Cached>();
  let size = 0;

  function drop(key: string): void {
    const response = cached.get(key);
    if (!response) return;
    cached.delete(key);
    size -= bytesOf(response);
  }

  return {
    find: (view: GatedView, businessId: string, id: string) => cached.get(keyOf(view, businessId, id)),
    keep(view: GatedView, businessId: string, id: string, response: Cached): Cached {
      const key = keyOf(view, businessId, id);
      drop(key);
      if (bytesOf(response) > MAX_RESPONSE) return response;
      cached.set(key, response);
      size += bytesOf(response);
      for (const oldest of cached.keys()) {
        if (size <= MAX_TOTAL) break;
        drop(oldest);
      }
      return response;
    },
    clear(): void {
      cached.clear();
      size = 0;
    },
  };
}

const keyOf = (view: GatedView, businessId: string, id: string) => `${view} ${businessId} ${id}`;

const bytesOf = ({ body, bytes = body.length }: { body: SerializedJson; bytes?: number }) => bytes;
