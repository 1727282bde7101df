/** Shared by pages with a form. */
import { ServiceError } from '../shared/errors.ts';
import { type Html, html, problemText } from './page.ts';
import type { PageTexts } from './texts/index.ts';

/** The validation error for a form, or null. Rethrows all other errors. */
export async function problemOf(work: Promise<unknown>): Promise<ServiceError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return error;
    throw error;
  }
}

/** The text of a validation error, for the form. */
export const textOf = (texts: PageTexts, { kind, details, message }: ServiceError): string =>
  problemText(texts, details[0]?.error ?? '', kind) ?? message;

export const done = (title: string, text: string): Html => html`<h1>${title}</h1>
<p class="notice good" role="status">${text}</p>`;

/** For customers: links to `/`, usually the shop. */
export const visitorConfirmation = (
  { common }: PageTexts,
  title: string,
  text: string,
): Html => html`${done(title, text)}
<p><a href="/">${common.continue}</a></p>`;

/** For new members of a business. */
export const memberConfirmation = (
  { common }: PageTexts,
  title: string,
  text: string,
): Html => html`${done(title, text)}
<p><a href="/admin">${common.openAdmin}</a></p>`;

export const failed = ({ problems }: PageTexts, message: string): Html => html`<h1>${problems.title}</h1>
<p class="notice bad" role="alert">${message}</p>`;

/** The attributes of an input whose value is invalid. */
export const invalidInput = (id: string, problem: string | undefined): Html | null =>
  problem ? html` aria-invalid="true" aria-errormessage="${id}" autofocus` : null;

export const fieldError = (id: string, problem: string | undefined): Html | null =>
  problem ? html`<p class="field-error" id="${id}" role="alert">${problem}</p>` : null;
