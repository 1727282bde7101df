/**
 * The user, the open business and the permissions. `souk` is the client for the open business; `can('ORDER_WRITE')` says whether to
 * show something. The access token is in memory; the refresh token is in an HttpOnly cookie. When the session expires, calls wait
 * until the user has logged in again in place (`pendingLogin`).
 */
import { computed, signal } from '@preact/signals';
import {
  type Client,
  type CodeLoginInput,
  createClient,
  type ListedBusiness,
  type LoginInput,
  memoryStorage,
  type RoleInput,
  SoukError,
  type StepUp,
  type Tokens,
  type User,
} from '@souk/client';
import { forgetAll } from '../parts/load.ts';
import { businessInPath, navigate, segments } from './router.ts';

export type Permission = RoleInput['permissions'][number];

const { dataset } = document.getElementById('app')!;
/** The name of the identity provider, or null. */
export const idp = dataset.idp ?? null;
/** The demo shop's login, in development. */
export const demoLogin =
  dataset.demoEmail && dataset.demoPassword ? { email: dataset.demoEmail, password: dataset.demoPassword } : null;

/** Undefined until known. Null if logged out. */
export const me = signal<User | null | undefined>(undefined);
export const businesses = signal<ListedBusiness[]>([]);
export const business = signal<ListedBusiness | null>(null);

const permissions = computed(() => {
  const roles = (me.value?.roles ?? []).filter(({ businessId }) => businessId === business.value?.id);
  return new Set(roles.flatMap((role) => role.permissions));
});
/** When the open business starts to require a second factor that the user lacks. Null if it doesn't. */
export const requiredFrom = computed(
  () => me.value?.secondFactor?.requiredBy.find(({ businessId }) => businessId === business.value?.id)?.from ?? null,
);
/** Whether the user logged in with single sign-on: such a session belongs to one business and can't change the account. */
export const isSso = computed(() => me.value?.limits?.kind === 'SSO');
export const can = (permission: Permission) => permissions.value.has('ADMIN') || permissions.value.has(permission);

/** `keepalive` lets requests finish after the page is closed, such as a deletion whose undo period was cut short. */
let isLeaving = false;
addEventListener('pagehide', () => (isLeaving = true), { capture: true });
addEventListener('pageshow', () => (isLeaving = false));

const client = createClient({
  baseUrl: '',
  fetch: (url, init) => fetch(url, isLeaving ? { ...init, keepalive: true } : init),
  storage: memoryStorage({ channel: 'souk-admin' }),
  refresh: renew,
  stepUp,
  tries: 3,
});
export let souk: Client = client;

const SESSION = '/admin/session';

/** A request that waits for step-up authentication. */
export const pendingStepUp = signal<{ error: SoukError; resolve: (proof: StepUp | null) => void } | null>(null);
let lastStepUp: StepUp | null = null;

/** One confirmation covers all requests in the next few minutes. */
async function stepUp(error: SoukError): Promise<string | null> {
  if (lastStepUp && lastStepUp.expiresAt > Date.now() / 1000 + 5) return lastStepUp.token;
  const waiting = pendingStepUp.peek();
  return new Promise((resolve) => {
    pendingStepUp.value = {
      error,
      resolve: (proof) => {
        lastStepUp = proof;
        pendingStepUp.value = null;
        waiting?.resolve(proof);
        resolve(proof?.token ?? null);
      },
    };
  });
}

async function callSession(method: string, path: string, body?: object): Promise<Tokens> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
  } catch (cause) {
    throw new SoukError(0, { error: 'NETWORK', message: "Can't connect to the server." }, { cause });
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new SoukError(response.status, content, { requestId: response.headers.get('x-request-id') });
  return content as Tokens;
}

/** Calls that wait for the next login. */
export const pendingLogin = signal<((tokens: Tokens | null) => void) | null>(null);

async function renew(): Promise<Tokens | null> {
  try {
    return await callSession('POST', `${SESSION}/refresh`);
  } catch (error) {
    if (!(error instanceof SoukError) || error.status !== 401) throw error;
  }
  if (!me.peek()) return null;
  return new Promise((resolve) => {
    pendingLogin.value = (tokens) => {
      pendingLogin.value = null;
      resolve(tokens);
    };
  });
}

client.session.onChange((tokens) => {
  // Another tab logged in or out.
  if (tokens && pendingLogin.peek() && tokens.userId === me.peek()?.id) pendingLogin.peek()!(tokens);
  else if (!tokens && me.peek()) {
    forgetAll();
    me.value = null;
  }
});

/** Logs in with email and password, or with the code of an identity provider. May fail with `SECOND_FACTOR_REQUIRED`. */
export const logIn = (input: LoginInput): Promise<void> => begin(SESSION, input);

/** Logs in with an emailed code. */
export const logInWithCode = (input: CodeLoginInput): Promise<void> => begin(`${SESSION}/code`, input);

export const logInWithFactor = (proof: object): Promise<void> => begin(`${SESSION}/second-factor`, proof);

export const logInWithPasskey = (proof: object): Promise<void> => begin(`${SESSION}/passkey`, proof);

async function begin(path: string, input: object): Promise<void> {
  const tokens = await callSession('POST', path, input);
  lastStepUp = null;
  const waiting = pendingLogin.peek();
  if (waiting && tokens.userId === me.peek()?.id) return waiting(tokens);
  await client.session.set(tokens);
  if (waiting) return location.reload();
  // The login page does not belong to the business.
  if (path !== SESSION) navigate('/admin', { replace: true });
  await open();
}

/** Also ends the session on the server. */
export async function logOut(): Promise<void> {
  await callSession('DELETE', SESSION);
  await client.session.set(null);
  pendingLogin.peek()?.(null);
  forgetAll();
  me.value = null;
  navigate('/admin');
}

/** Resumes the session from the cookie at startup. */
export async function resume(): Promise<void> {
  const token = await client.session.accessToken();
  if (token) await open();
  else me.value = null;
}

async function open(): Promise<void> {
  const [user, mine] = await Promise.all([client.users.me(), client.businesses.list({ limit: 100 }).take(500)]);
  const memberOf = new Set(user.roles.map(({ businessId }) => businessId));
  businesses.value = mine.filter(({ id }) => memberOf.has(id));
  me.value = user;
  const requested = businessInPath.value ?? localStorage.getItem('admin.business');
  const next = businesses.value.find(({ id }) => id === requested) ?? businesses.value[0] ?? null;
  if (next) openBusiness(next, `/${segments.value.join('/')}`, location.search);
}

/** Opens a page of the business. */
export function openBusiness(next: ListedBusiness, path = '/', search = ''): void {
  if (business.peek()?.id !== next.id) forgetAll();
  souk = client.forBusiness(next.id);
  localStorage.setItem('admin.business', next.id);
  business.value = next;
  navigate(`/admin/${next.id}${path === '/' ? '' : path}${search}`, { replace: path !== '/' || search !== '' });
}

/** Call after a change to the profile, the roles or the businesses. */
export async function reloadMe(): Promise<void> {
  const [user, mine] = await Promise.all([client.users.me(), client.businesses.list({ limit: 100 }).take(500)]);
  businesses.value = mine.filter(({ id }) => user.roles.some(({ businessId }) => businessId === id));
  business.value = businesses.value.find(({ id }) => id === business.peek()?.id) ?? business.peek();
  me.value = user;
}
