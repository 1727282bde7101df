/** Passkeys in this browser. The library is loaded on first use. */
const load = () => import('@simplewebauthn/browser');
type Library = Awaited<ReturnType<typeof load>>;
type CreationOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type RequestOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

/** Browsers bind passkeys to a host name, so they don't work on IP addresses. */
export const hasPasskeys = () =>
  'PublicKeyCredential' in globalThis && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

/** Whether the browser offers passkeys in the email field. */
export const canAutofill = async () => hasPasskeys() && (await load()).browserSupportsWebAuthnAutofill();

export const createPasskey = async (options: object): Promise<object> =>
  (await load()).startRegistration({ optionsJSON: options as CreationOptions });

export const usePasskey = async (options: object, useBrowserAutofill = false): Promise<object> =>
  (await load()).startAuthentication({ optionsJSON: options as RequestOptions, useBrowserAutofill });

/** Whether this device has a passkey of the account already. */
export const isKnown = (error: unknown) =>
  (error as { code?: unknown }).code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';

/** The request that a passkey signs: for a login by itself or, with the challenge of a login, as its second factor. */
export async function fetchOptions(challenge: string | undefined): Promise<{ challenge: string; options: object }> {
  const response = await fetch('/v1/users/login/passkey/options', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ challenge }),
  });
  if (!response.ok) throw new Error(`No passkey options: ${response.status}`);
  return response.json();
}
