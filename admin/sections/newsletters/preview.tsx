/** A live preview of the email, rendered by the API from the blocks in the form. */
import type { Block, Preview as Mail } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { noteUnreachable } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const TYPING_MS = 300;
const VIEWS = ['wide', 'narrow', 'plain'] as const;

export function Preview({ entryId, blocks }: { entryId: string | undefined; blocks: Block[] }) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('wide');
  const [mail, setMail] = useState<Mail>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!entryId) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setMail(await souk.newsletters.previewEntry(entryId, { blocks }, { signal: controller.signal }));
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
  }, [entryId, JSON.stringify(blocks)]);
  const views = (
    <fieldset class="views-of-mail">
      <legend class="visually-hidden">{t('newsletters.preview')}</legend>
      {VIEWS.map((each) => (
        <button key={each} type="button" class="quiet" aria-pressed={view === each} onClick={() => setView(each)}>
          {t(`newsletters.${each}`)}
        </button>
      ))}
    </fieldset>
  );
  return (
    <Section title={t('newsletters.preview')} actions={entryId && views}>
      {!entryId && <p class="quiet">{t('newsletters.previewFirst')}</p>}
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
            <MailFrame html={mail.html} isNarrow={view === 'narrow'} />
          )}
        </>
      )}
    </Section>
  );
}

/**
 * The email in a frame without scripts. The frame inherits the page's policy, which forbids the email's inline styles, so they are set
 * by script from outside.
 */
function MailFrame({ html, isNarrow }: { html: string; isNarrow: boolean }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const draw = () => {
    const shown = frame.current?.contentDocument;
    if (!shown?.body) return;
    const inert = html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/ style=/gi, ' data-style='));
    const mail = new DOMParser().parseFromString(inert, 'text/html');
    for (const link of mail.links) link.target = '_blank';
    shown.documentElement.lang = mail.documentElement.lang || 'en';
    shown.title = t('newsletters.preview');
    const { body } = mail;
    shown.body.replaceChildren(...shown.adoptNode(body).childNodes);
    for (const element of shown.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style!;
      delete element.dataset.style;
    }
    shown.body.style.cssText = body.dataset.style ?? '';
    frame.current!.style.height = `${shown.documentElement.scrollHeight}px`;
  };
  useEffect(draw, [html, isNarrow]);
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
