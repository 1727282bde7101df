/** A browser without JavaScript: it keeps cookies, follows redirects and sends forms as they were rendered. */
import assert from 'node:assert/strict';
import { visit } from './visit.ts';

/** Email and address as the fields of the checkout. */
export const ADDRESS = {
  email: 'ada@example.com',
  'shippingAddress.name': 'Ada Lovelace',
  'shippingAddress.street': '1 Market Street',
  'shippingAddress.city': 'San Francisco',
  'shippingAddress.state': 'CA',
  'shippingAddress.zip': '94105',
};

export type Shown = { status: number; url: string; html: string; text: string; setCookies: string[] };
/** `at` is the URL of another process of the service, which gets the form as if a proxy had chosen it. */
type Sent = { origin?: string | null; follow?: boolean; at?: string };

const plain = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : plain(found);
};

export function openBrowser(url: string) {
  const jar = new Map<string, string>();
  let shown: Shown = { status: 0, url, html: '', text: '', setCookies: [] };

  async function request(
    method: string,
    to: string,
    body?: URLSearchParams,
    { at, origin = url, follow = true }: Sent = {},
  ) {
    const target = new URL(to, shown.url).href;
    const { host, pathname, search } = new URL(target);
    const {
      status,
      headers,
      body: html,
    } = await visit(at ?? target, pathname + search, {
      host,
      method,
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body ? { 'content-type': 'application/x-www-form-urlencoded', ...(origin ? { origin } : {}) } : {}),
      },
      ...(body ? { body: body.toString() } : {}),
    });
    const setCookies = [headers['set-cookie'] ?? []].flat();
    for (const cookie of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    const { location } = headers;
    if (location && follow) return request('GET', new URL(location, target).href);
    const text = html
      .replace(/<script[\s\S]*?<\/script>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
    shown = {
      status,
      url: location ? new URL(location, target).href : target,
      html,
      text,
      setCookies,
    };
    return shown;
  }

  /** The fields of the form that has this action, as the page shows them. */
  function formWith(action: string): { target: string; fields: URLSearchParams } {
    const forms = [...shown.html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)];
    const button = [...shown.html.matchAll(/<button[^>]*>/g)]
      .map(([tag]) => tag)
      .find((tag) => attribute(tag, 'value') === action);
    const id = button && attribute(button, 'form');
    const found = forms.find(([, tag = '', content = '']) =>
      id ? attribute(tag, 'id') === id : content.includes(`value="${action}"`),
    );
    assert.ok(found, `no form with the action ${action} at ${shown.url}`);
    const [, head = '', inner = ''] = found;
    const fields = new URLSearchParams();
    for (const [tag] of inner.matchAll(/<input[^>]*>/g)) {
      const name = attribute(tag, 'name');
      const isChoice = /type="(radio|checkbox)"/.test(tag);
      if (name && (!isChoice || /\schecked/.test(tag))) fields.set(name, attribute(tag, 'value') ?? '');
    }
    for (const [, tag = '', options = ''] of inner.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)) {
      const all = [...options.matchAll(/<option[^>]*>/g)].map(([option]) => option);
      const chosen = all.find((option) => /\sselected/.test(option)) ?? all[0] ?? '';
      fields.set(attribute(tag, 'name') ?? '', attribute(chosen, 'value') ?? '');
    }
    fields.set('action', action);
    return { target: attribute(head, 'action') ?? shown.url, fields };
  }

  return {
    jar,
    current: () => shown,
    open: (path: string) => request('GET', path),
    post: (path: string, fields: Record<string, string>, sent?: Sent) =>
      request('POST', path, new URLSearchParams(fields), sent),
    /** Submits the form with this action, with these fields changed. Null leaves a field out. */
    send(action: string, changes: Record<string, string | null> = {}, sent?: Sent) {
      const { target, fields } = formWith(action);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) fields.delete(name);
        else fields.set(name, value);
      }
      return request('POST', target, fields, sent);
    },
  };
}
