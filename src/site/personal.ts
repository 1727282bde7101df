/** Pages with the visitor's session, and the forms of all pages. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Download, Loaded as LoadedPage, SiteSession, Visit } from '../../storefront/contract.ts';
import type { App } from '../http/server.ts';
import { forbidden, invalid } from '../shared/errors.ts';
import { loadPage } from './failed-calls.ts';
import { type Opened, type SiteOptions, type SiteServer, setPersonalHeaders } from './serve.ts';
import { endSupport, visibleSession } from './support.ts';
import { personalClient } from './transport.ts';

export function createPersonalPages(app: App, server: SiteServer, { sessions, publicUrl }: SiteOptions) {
  /** A visit with a session. `cookies` are to be sent with the response. */
  function begin(request: FastifyRequest, { module, site, souk, params, query, path, place }: Opened) {
    const { cookie, 'user-agent': userAgent = '' } = request.headers;
    const csrf = sessions.csrf(cookie, place);
    const stored = sessions.read(cookie, place);
    let session = visibleSession(stored, app.contexts.system().now);
    const isSupport = session?.support !== undefined;
    const isLoggedIn = session?.accessToken !== undefined && !session.isGuest;
    /** In the shop, a customer whose session ended continues as a guest. */
    const needsLogin = isSupport || (isLoggedIn && path.startsWith('/account'));
    let written: { session: SiteSession | null } | null = null;
    const setSession = (next: SiteSession | null) => {
      if (isSupport && next !== null) return;
      written = { session: isSupport ? endSupport(stored) : next };
      session = written.session;
      visit.session = session;
    };
    const { locale, origin, businessId } = site;
    const shared = { address: request.ip, locale, origin, userAgent, businessId };
    const own = () =>
      personalClient(app, module, { ...shared, guest: !needsLogin, read: () => session, write: setSession });
    const visit: Visit = {
      site,
      params,
      query,
      path,
      session,
      setSession,
      csrf: csrf.token,
      souk: session?.accessToken ? own() : souk,
      own() {
        visit.souk = own();
        return visit.souk;
      },
      async begin() {
        if (!session?.accessToken) await visit.own().users.login({ provider: 'GUEST' });
        return visit.souk;
      },
      withToken: (accessToken) =>
        personalClient(app, module, { ...shared, guest: false, read: () => ({ accessToken }), write: () => {} }),
    };
    const cookies = () => [...csrf.cookies, ...(written ? sessions.write(written.session, place, isSupport) : [])];
    return { visit, cookies, isSupport, needsLogin };
  }

  async function send(reply: FastifyReply, opened: Opened, visit: Visit, cookies: string[], loaded: Loaded) {
    setPersonalHeaders(reply, publicUrl());
    if (cookies.length > 0) reply.header('set-cookie', cookies);
    if ('file' in loaded) return sendFile(reply, loaded);
    const final = await server.settle(opened, loaded);
    if ('location' in final) return reply.redirect(final.location, final.status);
    const { module, site, path, assets } = opened;
    const { page, shown, status } = final;
    return reply.code(status).send(module.renderPage({ page, site, visit, path, shown, assets }));
  }

  /** Sends the result of `load`. Ends a session that was ended elsewhere, and sends an error page if support access forbids the call. */
  async function run(request: FastifyRequest, reply: FastifyReply, opened: Opened, load: Load): Promise<FastifyReply> {
    const { visit, cookies, isSupport, needsLogin } = begin(request, opened);
    const { module, site } = opened;
    const loaded = await load(visit, isSupport).catch((error) => {
      if (isSupport && error.status === 403) return null;
      if (!needsLogin || error.status !== 401) throw error;
      visit.setSession(null);
      return { redirect: isSupport ? '/' : '/login', status: 303 as const };
    });
    if (loaded !== null) return send(reply, opened, visit, cookies(), loaded);
    const refused = { ...opened, page: module.problem };
    return send(reply, refused, visit, cookies(), { ...module.showReadOnly(site), status: 403 });
  }

  const show = (request: FastifyRequest, reply: FastifyReply, opened: Opened) =>
    run(request, reply, opened, (visit) => loadPage(opened.page, visit));

  /** Runs the action of a form. */
  async function act(request: FastifyRequest, reply: FastifyReply, opened: Opened): Promise<FastifyReply> {
    const { module, page, place, site } = opened;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    checkLengths(form);
    const name = form.get('action') ?? '';
    const action = page.actions && Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
    if (!action) return send(reply, opened, begin(request, opened).visit, [], { status: 404 });
    checkOrigin(request, site.origin);
    const isOpen = page.openActions?.includes(name) ?? false;
    if (!isOpen && !sessions.isCsrf(request.headers.cookie, place, form.get('csrf') ?? '')) {
      const expired = { ...module.showExpired(site), status: 403 as const };
      return send(reply, { ...opened, page: module.problem }, begin(request, opened).visit, [], expired);
    }
    return run(request, reply, opened, async (visit, isSupport) => {
      if (isSupport && !page.inSupport) return null;
      return (await action(visit, form)) ?? page.load(visit);
    });
  }

  return { show, act };
}

type Loaded = LoadedPage<unknown>;
type Load = (visit: Visit, isSupport: boolean) => Promise<Loaded | null>;

function sendFile(reply: FastifyReply, { file: { name, type, body } }: Download): FastifyReply {
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  return reply.header('content-type', type).send(Buffer.from(body));
}

/** Larger than a note to an order or the response of a passkey. The pages and the API have lower maximums for most fields. */
const MAX_FIELD_LENGTH = 10_000;

/** Before an action reads the form. */
function checkLengths(form: URLSearchParams): void {
  for (const [field, value] of form) {
    if (value.length <= MAX_FIELD_LENGTH) continue;
    throw invalid([
      { field, error: 'TOO_LONG', message: `${field} must have at most ${MAX_FIELD_LENGTH} characters.` },
    ]);
  }
}

/** Other sites can't post forms here. */
function checkOrigin({ headers }: FastifyRequest, own: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined ? site === undefined || site === 'same-origin' : origin === own;
  if (!isOwn) throw forbidden('Forms from other sites are not accepted.');
}
