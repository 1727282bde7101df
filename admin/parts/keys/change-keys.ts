import { type ApiToken, type ApiTokenInput, isSoukError, type User } from '@souk/client';
import { souk } from '../../shell/session.ts';

const MAX_TRIES = 5;

/** A key that is sent back without its expiry and limits keeps them. */
const asInput = ({ id, name, value }: ApiToken): ApiTokenInput => ({ id, name, value });

/** Requests replace the whole list, so each change starts from the latest list to keep changes from other tabs. */
export async function changeKeys(change: (keys: ApiTokenInput[]) => ApiTokenInput[], tries = 1): Promise<User> {
  const user = (await souk.users.me()) as User & { etag?: string };
  try {
    return await souk.users.update({ apiTokens: change(user.apiTokens.map(asInput)) }, { ifMatch: user });
  } catch (error) {
    if (!isSoukError(error, 'PRECONDITION_FAILED') || tries >= MAX_TRIES) throw error;
    return changeKeys(change, tries + 1);
  }
}
