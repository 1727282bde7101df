/** Decides which IP addresses the service can call on behalf of its users. Pure. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [Address, number];

/** Parses `10.0.0.0/8` or `::1`. Returns null if invalid. */
export function parseNetwork(text: string): Network | null {
  const slash = text.indexOf('/');
  if (isIP(slash < 0 ? text : text.slice(0, slash)) === 0) return null;
  try {
    if (slash >= 0) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return null;
  }
}

/** IPv6 ranges that embed an IPv4 address, and its byte offset. */
const CARRIERS: [network: string, at: number][] = [
  ['::ffff:0:0/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
];

/** Private ranges that the library classifies as ordinary unicast. */
const PRIVATE = ['::/96', '64:ff9b:1::/48', '100::/64', '5f00::/16', '192.0.0.0/24', '192.88.99.0/24'];

const isIn = (address: Address, [network, bits]: Network) =>
  address.kind() === network.kind() && address.match(network as never, bits);

const carriers = CARRIERS.map(([network, at]) => [parseNetwork(network)!, at] as const);
const privateNetworks = PRIVATE.map((network) => parseNetwork(network)!);

/** The embedded IPv4 address, or the address itself. */
function unwrap(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const bytes = address.toByteArray();
  const carrier = carriers.find(([network]) => isIn(address, network));
  return carrier ? ipaddr.fromByteArray(bytes.slice(carrier[1], carrier[1] + 4)) : address;
}

/**
 * True for addresses on the public internet, even if embedded in IPv6, and for those in `allowed`. All others are
 * private, loopback, link-local, carrier-grade NAT, multicast, reserved, or in `own`.
 */
export function isCallable(text: string, allowed: readonly Network[], own: readonly string[] = []): boolean {
  if (isIP(text) === 0) return false;
  const given = ipaddr.parse(text);
  const address = unwrap(given);
  if (allowed.some((network) => isIn(address, network) || isIn(given, network))) return true;
  if (own.some((each) => ipaddr.parse(each).toNormalizedString() === address.toNormalizedString())) return false;
  return address.range() === 'unicast' && !privateNetworks.some((network) => isIn(address, network));
}
