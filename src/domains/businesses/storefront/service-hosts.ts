/** The hosts that the service itself answers on. No storefront can have them, or it would replace the admin and every other storefront. Pure. */
import { isIP } from 'node:net';

/** Of the service: its public URL, and the name or address that it listens on. */
type ServiceAddress = { publicUrl: string; bindHost: string };

/** Ignores the port, because a proxy may serve any port of these hosts. */
export function isServiceHost(host: string, { publicUrl, bindHost }: ServiceAddress): boolean {
  const name = nameOf(host);
  return (
    name === 'localhost' || isIP(name) > 0 || name === nameOf(new URL(publicUrl).host) || name === nameOf(bindHost)
  );
}

/** Whether a host is listed in `origins`, with any scheme and port. */
export const isHostOf = (origins: readonly string[], host: string): boolean =>
  origins.some((origin) => nameOf(new URL(origin).host) === nameOf(host));

const nameOf = (host: string): string =>
  isIP(host)
    ? host
    : host
        .toLowerCase()
        .replace(/:\d+$/, '')
        .replace(/\.$/, '')
        .replace(/^\[|\]$/g, '');
