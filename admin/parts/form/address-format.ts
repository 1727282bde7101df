/** Countries and their address formats, from the API. */
import type { AddressFormat } from '@souk/client';
import { souk } from '../../shell/session.ts';
import { language } from '../../text/index.ts';
import { useLoad } from '../load.ts';

/** Undefined until loaded, and for an unknown country. */
export function useAddressFormat(country = ''): AddressFormat | undefined {
  const locale = language.value;
  const { data } = useLoad(`address format ${country} ${locale}`, async (signal) =>
    /^[A-Za-z]{2}$/.test(country) ? souk.addressFormats.get(country, { query: { locale }, signal }) : null,
  );
  return data ?? undefined;
}

/** The codes of the members of the European Union. */
export function useEuMembers(): string[] {
  const { data = [] } = useLoad('countries', (signal) => souk.addressFormats.list({ signal }).take(300));
  return data.flatMap(({ country, isEuMember }) => (isEuMember ? [country] : []));
}
