/** A page of the storefront with unsaved content, next to its editor. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text/index.ts';
import { noteUnreachable } from './load.ts';
import { Section } from './page.tsx';

const TYPING_MS = 400;

type Audience = 'public' | 'reader';
type Props<V extends object> = {
  values: V;
  /** Whether only some people can read all of it. */
  isGated?: boolean;
  render: (draft: V & { audience?: Audience }, options: { signal: AbortSignal }) => Promise<{ html: string }>;
};

export function SitePreview<V extends object>({ values, isGated = false, render }: Props<V>) {
  const [html, setHtml] = useState('');
  const [audience, setAudience] = useState<Audience>('public');
  const [isOpen, setOpen] = useState(false);
  const sent = JSON.stringify({ ...values, ...(isGated && { audience }) });
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setHtml((await render(JSON.parse(sent) as V, { signal: controller.signal })).html);
      } catch (error) {
        // The form shows what is wrong when it is saved. The preview keeps the last valid page.
        if (!controller.signal.aborted) noteUnreachable(error);
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [sent, isOpen]);
  return (
    <Section
      class={isOpen ? 'site-preview is-open' : 'site-preview'}
      title={t('content.sitePreview')}
      actions={
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'content.hidePreview' : 'content.showPreview')}
        </button>
      }
    >
      {isOpen && isGated && (
        <fieldset class="views-of-mail audience">
          <legend class="visually-hidden">{t('content.previewFor')}</legend>
          {(['public', 'reader'] as const).map((each) => (
            <button
              key={each}
              type="button"
              class="quiet"
              aria-pressed={audience === each}
              onClick={() => setAudience(each)}
            >
              {t(each === 'public' ? 'content.previewPublic' : 'content.previewReader')}
            </button>
          ))}
        </fieldset>
      )}
      {isOpen && (
        <div class="mail-frame site-frame">
          {html && <iframe title={t('content.sitePreview')} sandbox="" srcDoc={html} />}
        </div>
      )}
    </Section>
  );
}
