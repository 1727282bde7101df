import { type PreparedTexts, prepareTexts } from '../../../shared/blocks/index.ts';
import type { StorefrontSettings } from './schemas.ts';

/** Sanitizing long legal pages can take seconds, so it runs outside the transaction. */
export const prepareLegal = (owner: string, { legal = {} }: StorefrontSettings = {}): Promise<PreparedTexts> =>
  prepareTexts(
    owner,
    [],
    Object.values(legal).flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text))),
  );
