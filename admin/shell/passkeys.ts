/** Passkeys in this browser. The library is loaded on first use. */
import { SoukError } from '@souk/client';
import { t } from '../text/index.ts';

const load = () => import('@simplewebauthn/browser');
type Library = Awaited<ReturnType<typeof load>>;
type CreationOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type RequestOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

/** Browsers bind passkeys to a host name, so they don't work on IP addresses. */
export const isIpAddress = /^[\d.]+$|^\[/.test(location.hostname);
export const hasPasskeys = 'PublicKeyCredential' in globalThis && isSecureContext && !isIpAddress;

/** Whether the browser offers passkeys in the email field. */
export const canAutofill = async () => hasPasskeys && (await load()).browserSupportsWebAuthnAutofill();

export async function createPasskey(options: object): Promise<Record<string, unknown>> {
  const { startRegistration } = await load();
  return asRecord(await startRegistration({ optionsJSON: options as CreationOptions }).catch(explain));
}

export async function usePasskey(options: object, autofill = false): Promise<Record<string, unknown>> {
  const { startAuthentication } = await load();
  const optionsJSON = options as RequestOptions;
  return asRecord(await startAuthentication({ optionsJSON, useBrowserAutofill: autofill }).catch(explain));
}

/** Ends the offer in the email field. */
export const stopAutofill = async () => (await load()).WebAuthnAbortService.cancelCeremony();

const asRecord = (credential: object) => credential as Record<string, unknown>;

function explain(cause: Error): never {
  const isKnown = (cause as { code?: string }).code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  const message = t(isKnown ? 'security.passkeyKnown' : 'security.passkeyFailed');
  throw new SoukError(422, { error: 'VALIDATION_FAILED', message }, { cause });
}
