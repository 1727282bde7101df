/** A live preview of an email, rendered by the API from the values in a form. */
import type { Preview } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../text/index.ts';
import { noteUnreachable } from './load.ts';
import { Section } from './page.tsx';
import { Problem } from './problem.tsx';

type Mail = Pick<Preview, 'subject' | 'html' | 'text'>;

const TYPING_MS = 300;
const VIEWS = ['wide', 'narrow', 'plain'] as const;

type Props = {
  /** Null while there is no preview. */
  render: ((signal: AbortSignal) => Promise<Mail>) | null;
  /** Changes with the values in the form. */
  values: string;
  /** Shown while there is no preview. */
  empty?: string | undefined;
};

export function MailPreview({ render, values, empty }: Props) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('wide');
  const [isDark, setDark] = useState(false);
  const [mail, setMail] = useState<Mail>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!render) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setMail(await render(controller.signal));
        setError(undefined);
      } catch (problem) {
        if (controller.signal.aborted) return;
        noteUnreachable(problem);
        setError(problem);
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [render === null, values]);
  const views = (
    <fieldset class="views-of-mail">
      <legend class="visually-hidden">{t('newsletters.preview')}</legend>
      {VIEWS.map((each) => (
        <button key={each} type="button" class="quiet" aria-pressed={view === each} onClick={() => setView(each)}>
          {t(`newsletters.${each}`)}
        </button>
      ))}
      <button type="button" class="quiet" aria-pressed={isDark} onClick={() => setDark(!isDark)}>
        {t('newsletters.dark')}
      </button>
    </fieldset>
  );
  return (
    <Section title={t('newsletters.preview')} actions={render && views}>
      {!render && empty && <p class="quiet">{empty}</p>}
      <Problem error={error} />
      {mail && (
        <>
          <p>
            {t('newsletters.subject')}: <strong>{mail.subject}</strong>
          </p>
          {view === 'plain' ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
            <pre class="mail-text" tabIndex={0}>
              {mail.text}
            </pre>
          ) : (
            <MailFrame html={mail.html} isNarrow={view === 'narrow'} isDark={isDark} />
          )}
        </>
      )}
    </Section>
  );
}

/**
 * The email in a frame without scripts. The frame inherits the page's policy, which forbids the email's styles, so they are set by
 * script from outside.
 */
function MailFrame({ html, isNarrow, isDark }: { html: string; isNarrow: boolean; isDark: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const draw = () => {
    const shown = frame.current?.contentDocument;
    const view = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined;
    if (!shown?.body || !view) return;
    const [, rest = ''] = html.split('<style>', 2);
    const [rules = ''] = rest.split('</style>', 1);
    const inert = html
      .replace(`<style>${rules}</style>`, '')
      .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/ style=/gi, ' data-style='));
    const mail = new DOMParser().parseFromString(inert, 'text/html');
    for (const link of mail.links) link.target = '_blank';
    shown.documentElement.lang = mail.documentElement.lang || 'en';
    shown.title = t('newsletters.preview');
    const { body } = mail;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(rules.replace('(prefers-color-scheme:dark)', isDark ? 'all' : 'not all'));
    shown.adoptedStyleSheets = [sheet];
    shown.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
    shown.body.className = body.className;
    shown.body.style.cssText = body.dataset.style ?? '';
    shown.body.replaceChildren(...shown.adoptNode(body).childNodes);
    for (const element of shown.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style!;
      delete element.dataset.style;
    }
    frame.current!.style.height = `${shown.documentElement.scrollHeight}px`;
  };
  useEffect(draw, [html, isNarrow, isDark]);
  return (
    <div class={isNarrow ? 'mail-frame narrow' : 'mail-frame'}>
      <iframe
        ref={frame}
        title={t('newsletters.preview')}
        sandbox="allow-same-origin allow-popups"
        srcDoc="<!doctype html><html lang='en'><head><title>Email</title></head><body></body></html>"
        onLoad={draw}
      />
    </div>
  );
}
