/** Sanitizes header values as a last safeguard, in addition to earlier validation. */

/** Line breaks, control characters, and direction overrides and isolates, which can disguise text. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A header value that can't start another header line or change the text direction. */
export const headerText = (text: string) => text.replaceAll(UNSAFE, ' ').trim();

/** A display name without an email address in it: mail clients show the name, and people trust it. */
export const senderName = (name: string) =>
  headerText(name.replaceAll(/[<>@\uff1c\uff1e\uff20\ufe6b]+/g, ' ')).replaceAll(/ {2,}/g, ' ');
