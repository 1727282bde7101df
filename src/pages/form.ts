/** Shared by pages with a form. */
import { ServiceError } from '../shared/errors.ts';
import { type Html, html } from './page.ts';

/** The validation error of a form, or null. Rethrows all other errors. */
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

/** For customers: links to `/`, usually the shop. */
export const doneVisitor = (title: string, text: string): Html => html`${done(title, text)}
<p><a href="/">Continue</a></p>`;

/** For new members of a business. */
export const doneMember = (title: string, text: string): Html => html`${done(title, text)}
<p><a href="/admin">Open admin</a></p>`;

export const failed = (message: string): Html => html`<h1>Something went wrong</h1>
<p class="notice bad" role="alert">${message}</p>`;
