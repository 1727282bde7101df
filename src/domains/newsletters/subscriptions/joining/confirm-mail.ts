import { firstCharacters } from '../../../../shared/text/text.ts';

const SHOWN = 80;

/** The name on one line, without anything that a mail client turns into a link. */
export const withoutLinks = (name: string) =>
  firstCharacters(name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>@"]+/gu, ' '), SHOWN)
    .replaceAll(/:\/\/|(?<=\p{L})\.(?=\p{L})/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
