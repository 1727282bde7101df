/** The last guard before a header is built, whatever was checked when a text was stored. */

/** Line ends, controls, and marks that make a text look like another: overrides and isolates of its direction. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** No value can end its header line and begin another, or read backwards. */
export const headerText = (text: string) => text.replaceAll(UNSAFE, ' ').trim();

/** A name in front of an address. It holds none itself: mail programs show the name, and people believe it. */
export const senderName = (name: string) =>
  headerText(name.replaceAll(/[<>@\uff1c\uff1e\uff20\ufe6b]+/g, ' ')).replaceAll(/ {2,}/g, ' ');
