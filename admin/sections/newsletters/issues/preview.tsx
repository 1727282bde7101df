import type { Block } from '@souk/client';
import { MailPreview } from '../../../parts/mail-preview.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** A live preview of the issue, from the blocks in the form. */
export const Preview = ({ entryId, blocks }: { entryId: string | undefined; blocks: Block[] }) => (
  <MailPreview
    render={entryId ? (signal) => souk.newsletters.previewEntry(entryId, { blocks }, { signal }) : null}
    values={JSON.stringify([entryId, blocks])}
    empty={t('newsletters.previewFirst')}
  />
);
