/** What pages with a form have in common. */
import { ServiceError } from '../shared/errors.ts';
import { type Html, html } from './page.ts';

/** What was wrong with the form, if anything; every other error is the page's own. */
export async function problemOf(work: Promise<unknown>): Promise<ServiceError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return error;
    throw error;
  }
}

export const done = (title: string, text: string): Html => html`<h1>${title}</h1>
<p class="notice good" role="status">${text}</p>`;

/** For everybody else: to the shop, or where `GET /` leads. */
export const doneVisitor = (title: string, text: string): Html => html`${done(title, text)}
<p><a href="/">Go on</a></p>`;

/** For somebody who works in a business from now on. */
export const doneMember = (title: string, text: string): Html => html`${done(title, text)}
<p><a href="/admin">Open the admin</a></p>`;

export const failed = (message: string): Html => html`<h1>That did not work</h1>
<p class="notice bad" role="alert">${message}</p>`;
