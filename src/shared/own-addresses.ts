/** Addresses of files that this service serves itself are stored as paths. Strings cannot hold this: there quotes are escaped. */
const OWN_PATH = /"url":"(?=\/(?!\/))/g;

/** Stored JSON as it is answered: with whole addresses. */
export const withAddresses = (json: string, publicUrl: string): string =>
  json.replaceAll(OWN_PATH, () => `"url":"${publicUrl}`);

/** A record that was just stored, as it is answered. */
export const answered = <T>(record: T, publicUrl: string): T =>
  JSON.parse(withAddresses(JSON.stringify(record), publicUrl));
