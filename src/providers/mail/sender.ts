export type Sender = { name: string; address: string };

export function senderOf(from: string): Sender {
  const match = /^(.*)<(.+)>$/.exec(from);
  return match ? { name: match[1]!.trim(), address: match[2]! } : { name: '', address: from };
}

export const mailDomain = (from: string) => senderOf(from).address.split('@').at(-1)!;
