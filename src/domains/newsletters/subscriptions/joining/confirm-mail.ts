import { firstCharacters } from '../../../../shared/text/text.ts';

/** The consent: shown above the button and stored. */
export const consentText = (newsletter: string, business: string, email: string) =>
  `I want to receive the newsletter "${withoutLinks(newsletter)}" from ${withoutLinks(business)} at ${email}. I can unsubscribe at any time with the link in each email.`;

const SHOWN = 80;

/** The name on one line, without anything that a mail client turns into a link. */
export const withoutLinks = (name: string) =>
  firstCharacters(name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>@"]+/gu, ' '), SHOWN)
    .replaceAll(/:\/\/|(?<=\p{L})\.(?=\p{L})/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
