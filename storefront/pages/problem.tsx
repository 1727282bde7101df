/** Pages for unknown URLs and failures. */
import { type Page, page, type Shown, type Site } from '../page.ts';
import { link } from '../site.ts';

type Data = { title: string; text: string };

export const problem: Page<Data> = page<Data>({
  path: '/problem',
  load: async ({ site }) => showMissing(site, 404),
  View: ({ data, site }) => (
    <main id="main" class="empty">
      <h1>{data.title}</h1>
      <p class="quiet">{data.text}</p>
      <a href={link(site, '/products')} class="button">
        {site.texts.problem.shopAll}
      </a>
    </main>
  ),
});

export function showMissing({ texts }: Site, status: 404 | 410): Shown<Data> {
  const { problem: words } = texts;
  const data =
    status === 410 ? { title: words.gone, text: words.goneText } : { title: words.notFound, text: words.notFoundText };
  return { data, head: { title: data.title, noindex: true } };
}

export const showFailure = ({ texts: { problem: words } }: Site): Shown<Data> => ({
  data: { title: words.failed, text: words.failedText },
  head: { title: words.failed, noindex: true },
});

/** A form without a valid CSRF token. */
export const showExpired = ({ texts: { problem: words } }: Site): Shown<Data> => ({
  data: { title: words.failed, text: words.expired },
  head: { title: words.failed, noindex: true },
});

/** While an admin views the shop as a customer. */
export const showReadOnly = ({ texts: { support: words } }: Site): Shown<Data> => ({
  data: { title: words.readOnly, text: words.readOnlyText },
  head: { title: words.readOnly, noindex: true },
});
