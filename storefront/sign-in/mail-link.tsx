/** The pages that the links in account emails open. A GET changes nothing, because mail scanners open links too. */
import type { ComponentChildren } from 'preact';
import { FormFields, FormProblem, type Problems } from '../forms.tsx';
import type { Loaded, Site, Visit } from '../page.ts';
import { absolute, link } from '../site.ts';
import { problemsOf } from './log-in.ts';

export type MailLinkData = { token: string; problems: Problems; isDone: boolean };

export const showLink = (title: string, data: Partial<MailLinkData>): Loaded<MailLinkData> => ({
  status: data.problems ? 422 : 200,
  data: { token: '', problems: {}, isDone: false, ...data },
  head: { title, noindex: true },
});

/** Uses the token of the link. */
export async function followLink(
  visit: Visit,
  { title, token }: { title: string; token: string },
  call: () => Promise<unknown>,
): Promise<Loaded<MailLinkData>> {
  try {
    await call();
    return showLink(title, { isDone: true });
  } catch (error) {
    return showLink(title, { token, problems: problemsOf(error, visit) });
  }
}

/** Links with tokens don't lead to an untrusted storefront host, so this link opened here. The login continues on that host. */
const loginUrl = (site: Site) => (site.base ? absolute(site, '/login') : link(site, '/login'));

type PageProps = {
  data: MailLinkData;
  site: Site;
  csrf: string;
  path: '/confirm' | '/reset-password';
  words: { title: string; text?: string; button: string; done: string };
  children?: ComponentChildren;
};

export function MailLinkPage({ data: { token, problems, isDone }, site, csrf, path, words, children }: PageProps) {
  const { account } = site.texts;
  const isLinkInvalid = problems.token !== undefined;
  return (
    <main id="main" class="narrow">
      <h1>{words.title}</h1>
      {isDone && (
        <p class="notice good" role="status">
          {words.done}
        </p>
      )}
      <FormProblem text={problems[''] ?? problems.token} />
      {isDone || isLinkInvalid ? (
        <p class="actions">
          <a href={loginUrl(site)} class="button">
            {account.logIn}
          </a>
        </p>
      ) : (
        <form action={link(site, path)} method="post">
          <FormFields csrf={csrf} action="follow" />
          <input type="hidden" name="token" value={token} />
          {words.text && <p>{words.text}</p>}
          {children}
          <button type="submit">{words.button}</button>
        </form>
      )}
    </main>
  );
}
