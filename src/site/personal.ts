/** Pages with the session of the visitor, and the forms of all pages. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/server.ts';
import { forbidden } from '../shared/errors.ts';
import type { Download, Loaded, SiteSession, Visit } from './contract.ts';
import { type Opened, type SiteOptions, type SiteServer, setPersonalHeaders } from './serve.ts';
import { personalClient } from './transport.ts';

export function createPersonalPages(app: App, server: SiteServer, { sessions, publicUrl }: SiteOptions) {
  /** A visit with a session. `cookies` are to be sent with the response. */
  function begin(request: FastifyRequest, { module, site, souk, params, query, path, place }: Opened) {
    const { cookie } = request.headers;
    const csrf = sessions.csrf(cookie, place);
    let session = sessions.read(cookie, place);
    let isChanged = false;
    const setSession = (next: SiteSession | null) => {
      session = next;
      visit.session = next;
      isChanged = true;
    };
    const own = () =>
      personalClient(app, module, {
        address: request.ip,
        locale: site.locale,
        businessId: site.businessId,
        read: () => session,
        write: setSession,
      });
    const visit: Visit = {
      ...{ site, params, query, path, session, setSession, csrf: csrf.token },
      souk: session?.accessToken ? own() : souk,
      async begin() {
        if (!session?.accessToken) {
          visit.souk = own();
          await visit.souk.users.login({ provider: 'GUEST' });
        }
        return visit.souk;
      },
    };
    const cookies = () => [...csrf.cookies, ...(isChanged ? sessions.write(session, place) : [])];
    return { visit, cookies };
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

  async function show(request: FastifyRequest, reply: FastifyReply, opened: Opened): Promise<FastifyReply> {
    const { visit, cookies } = begin(request, opened);
    const loaded = await opened.page.load(visit);
    return send(reply, opened, visit, cookies(), loaded);
  }

  /** Runs the action of a form. */
  async function act(request: FastifyRequest, reply: FastifyReply, opened: Opened): Promise<FastifyReply> {
    const { page, place, site } = opened;
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const name = form.get('action') ?? '';
    const action = page.actions && Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
    if (!action) return send(reply, opened, begin(request, opened).visit, [], { status: 404 });
    checkOrigin(request, site.origin);
    const isOpen = page.openActions?.includes(name) ?? false;
    if (!isOpen && !sessions.isCsrf(request.headers.cookie, place, form.get('csrf') ?? '')) {
      throw forbidden('This form has expired. Reload the page and try again.');
    }
    const { visit, cookies } = begin(request, opened);
    const loaded = (await action(visit, form)) ?? (await page.load(visit));
    return send(reply, opened, visit, cookies(), loaded);
  }

  return { show, act };
}

function sendFile(reply: FastifyReply, { file: { name, type, body } }: Download): FastifyReply {
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  return reply.header('content-type', type).send(Buffer.from(body));
}

/** Other sites can't post forms here. */
function checkOrigin({ headers }: FastifyRequest, own: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined ? site === undefined || site === 'same-origin' : origin === own;
  if (!isOwn) throw forbidden('Forms of other sites are not accepted.');
}
