/** Problems that an issue may have with spam filters and readers. */
import type { Block, MailHint } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { Section } from '../../../parts/page.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const TYPING_MS = 1000;

export function Hints({ entryId, blocks }: { entryId: string | undefined; blocks: Block[] }) {
  const [hints, setHints] = useState<MailHint[]>([]);
  useEffect(() => {
    if (!entryId) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      // The preview shows what is wrong with an email that can't be rendered.
      souk.newsletters.previewEntry(entryId, { blocks }, { signal: controller.signal }).then(
        (mail) => setHints(mail.hints),
        () => {},
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [entryId, JSON.stringify(blocks)]);
  if (hints.length === 0) return null;
  return (
    <Section title={t('hints.title')}>
      <ul class="mail-hints quiet">
        {hints.map(({ code, detail }) => (
          <li key={`${code} ${detail}`}>{t(`hints.${code}`, { detail })}</li>
        ))}
      </ul>
    </Section>
  );
}
