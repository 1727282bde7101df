import { isEuMember } from '../../shared/addresses/index.ts';
import { CallFailed } from '../outbound/index.ts';
import type { JsonCalls } from '../outbound/json-call.ts';
import type { VatIds } from './port.ts';

/** VAT IDs use the country codes of ISO 3166, except for Greece. Northern Ireland has its own. */
const isVatCountry = (code: string) => code === 'EL' || code === 'XI' || (code !== 'GR' && isEuMember(code));

/** The REST API of VIES, the VAT register of the European Commission. */
export function vies(calls: JsonCalls, baseUrl: string): VatIds {
  const url = `${baseUrl.replace(/\/$/, '')}/check-vat-number`;
  return {
    async check(businessId, vatId) {
      const [countryCode, vatNumber] = [vatId.slice(0, 2), vatId.slice(2)];
      if (!isVatCountry(countryCode) || !/^[A-Z0-9+*]{2,12}$/.test(vatNumber)) return false;
      const response = (await calls.post(businessId, url, { countryCode, vatNumber })) as { valid?: unknown } | null;
      // Without `valid`, the country's register is unavailable.
      if (typeof response?.valid !== 'boolean') throw new CallFailed('it could not check the VAT ID');
      return response.valid;
    },
  };
}
