/** Addresses by country: fields, states and postal codes. Pure functions over generated data. */
export { type AddressText, checkAddress, normalizeAddress } from './check.ts';
export { countryName, isCountry, isEuMember, listCountries } from './countries.ts';
export { ADDRESS_FIELDS, findAddressFormat } from './describe.ts';
export { labelLanguage } from './labels.ts';
export { addressLines } from './lines.ts';
export { findState } from './states.ts';
