export type Sender = { name: string; address: string };

export function senderOf(from: string): Sender {
  const open = from.endsWith('>') ? from.lastIndexOf('<') : -1;
  return open === -1
    ? { name: '', address: from }
    : { name: from.slice(0, open).trim(), address: from.slice(open + 1, -1) };
}

export const mailDomain = (from: string) => senderOf(from).address.split('@').at(-1)!;
