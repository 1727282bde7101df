import { type Caller, isMember } from '../security/caller.ts';
import type { SerializedJson } from './serializer.ts';

/** The size limits of the cache and of one answer, in bytes. */
const MAX_TOTAL = 8_000_000;
const MAX_ANSWER = 1_000_000;

/** Members of a business see more of a record than others: who set a status, and its schedule. */
export type Audience = 'member' | 'public';
/** An item of a list contains its ETag. A single record has it in a header. */
export type Form = 'record' | 'item';
export type View = `${Audience} ${Form}`;

export const viewOf = ({ caller, businessId }: { caller: Caller; businessId: string }, form: Form): View =>
  `${isMember(caller, businessId) ? 'member' : 'public'} ${form}`;

/**
 * Caches answers, which are serialized responses. Each belongs to a version of a record, and versions never change. A read first gets the current version
 * from the database, so no answer is stale. Only a database that lost its last changes, as after a failover, can reuse a version.
 * Call `clear` then.
 */
export function createAnswerCache<Answer extends { body: SerializedJson; bytes?: number }>() {
  const cached = new Map<string, Answer>();
  let size = 0;

  function drop(key: string): void {
    const answer = cached.get(key);
    if (!answer) return;
    cached.delete(key);
    size -= bytesOf(answer);
  }

  return {
    find: (view: View, businessId: string, id: string) => cached.get(keyOf(view, businessId, id)),
    keep(view: View, businessId: string, id: string, answer: Answer): Answer {
      const key = keyOf(view, businessId, id);
      drop(key);
      if (bytesOf(answer) > MAX_ANSWER) return answer;
      cached.set(key, answer);
      size += bytesOf(answer);
      for (const oldest of cached.keys()) {
        if (size <= MAX_TOTAL) break;
        drop(oldest);
      }
      return answer;
    },
    clear(): void {
      cached.clear();
      size = 0;
    },
  };
}

const keyOf = (view: View, businessId: string, id: string) => `${view} ${businessId} ${id}`;

const bytesOf = ({ body, bytes = body.length }: { body: SerializedJson; bytes?: number }) => bytes;
