/** The merchant's endpoints in the settings of a business: carriers and a tax provider. Pure. */
import type { FieldError } from '../../shared/errors.ts';
import type { Configs, Endpoint, StoredConfigs } from './schemas.ts';

const MASK = '****';

export const isMasked = (value: string | undefined) => value?.startsWith(MASK) ?? false;
export const mask = (secret: string) => (secret.length < 12 ? MASK : `${MASK}${secret.slice(-4)}`);

export const carrierName = (methodId: string) => `carrier/${methodId}`;
export const TAX_PROVIDER = 'tax-provider';

/** Replaces each endpoint, or removes it where `replace` returns undefined. `name` identifies the endpoint within the business. */
export function mapEndpoints(
  { shippingMethods, tax, ...configs }: Configs,
  replace: (endpoint: Endpoint, name: string, field: string) => Endpoint | undefined,
): Configs {
  const methods = shippingMethods?.map(({ carrier, ...method }, i) => {
    const field = `configs.shippingMethods[${i}].carrier`;
    const replaced = carrier && replace(carrier, carrierName(method.id), field);
    return { ...method, ...(replaced && { carrier: replaced }) };
  });
  const { provider, ...settings } = tax ?? {};
  const replaced = provider && replace(provider, TAX_PROVIDER, 'configs.tax.provider');
  return {
    ...configs,
    ...(methods && { shippingMethods: methods }),
    ...(tax && { tax: { ...settings, ...(replaced && { provider: replaced }) } }),
  };
}

export const hasEndpoints = ({ shippingMethods = [], tax }: Configs) =>
  tax?.provider !== undefined || shippingMethods.some(({ carrier }) => carrier !== undefined);

/** For exports. */
export const withoutEndpoints = (configs: Configs): Configs =>
  hasEndpoints(configs) ? mapEndpoints(configs, () => undefined) : configs;

export const findEndpoint = (configs: StoredConfigs, name: string): Endpoint | undefined =>
  name === TAX_PROVIDER
    ? configs.tax?.provider
    : configs.shippingMethods?.find(({ id }) => carrierName(id) === name)?.carrier;

/** A new endpoint needs a secret. */
export function checkEndpoints(configs: Configs, stored: StoredConfigs): FieldError[] {
  const errors: FieldError[] = [];
  mapEndpoints(configs, (endpoint, name, at) => {
    const field = `${at}.secret`;
    const isKept = endpoint.secret === undefined || isMasked(endpoint.secret);
    if (!isKept || findEndpoint(stored, name)?.secret !== undefined) return endpoint;
    const [error, message] =
      endpoint.secret === undefined
        ? ['REQUIRED', `${field} is required.`]
        : ['INVALID_VALUE', `${field} is masked, but no secret is stored. Send the full secret.`];
    errors.push({ field, error, message });
    return endpoint;
  });
  return errors;
}
