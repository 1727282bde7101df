/** The storefront with the settings in the form, before they are saved. */
import type { StorefrontSettings } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { noteUnreachable } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const TYPING_MS = 300;

export function StorefrontPreview({ settings }: { settings: StorefrontSettings }) {
  const [html, setHtml] = useState('');
  const [isNarrow, setNarrow] = useState(true);
  const values = JSON.stringify({ ...settings, hosts: undefined });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const storefront = JSON.parse(values) as StorefrontSettings;
      try {
        setHtml((await souk.businesses.previewStorefront({ storefront }, { signal: controller.signal })).html);
      } catch (error) {
        // The form shows what is wrong when it is saved. The preview keeps the last valid page.
        if (!controller.signal.aborted) noteUnreachable(error);
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [values]);
  const views = (
    <fieldset class="views-of-mail">
      <legend class="visually-hidden">{t('newsletters.preview')}</legend>
      {([false, true] as const).map((narrow) => (
        <button
          key={String(narrow)}
          type="button"
          class="quiet"
          aria-pressed={isNarrow === narrow}
          onClick={() => setNarrow(narrow)}
        >
          {t(narrow ? 'newsletters.narrow' : 'newsletters.wide')}
        </button>
      ))}
    </fieldset>
  );
  return (
    <Section class={isNarrow ? 'is-beside' : ''} title={t('newsletters.preview')} actions={views}>
      <div class={isNarrow ? 'mail-frame site-frame narrow' : 'mail-frame site-frame'}>
        {html && <iframe title={t('newsletters.preview')} sandbox="allow-same-origin" srcDoc={html} />}
      </div>
    </Section>
  );
}
