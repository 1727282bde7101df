import type { Media, MediaItem } from '@souk/client';
import { souk } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';
import { Dialog, DialogActions } from '../dialog.tsx';
import { RecordNotices } from '../editing/record-view.tsx';
import { useRecord } from '../editing/use-record.ts';
import { Form } from '../form/form.tsx';
import { AltField } from './alt-field.tsx';
import { MediaImage, nameOf } from './thumb.tsx';

type Values = { alt: Record<string, string> };
type Props = { media: Media; done: (item: MediaItem) => void; close: () => void };

/** Edits the alt text in each language. It belongs to the file, so it changes everywhere the file is used. */
export function AltDialog({ media, done, close }: Props) {
  const record = useRecord<Values>({
    key: `media alt ${media.id}`,
    load: async (signal) => versionOf(await souk.media.get(media.id, { signal })),
    save: async (changes, { ifMatch }) => {
      const item = await souk.media.update(media.id, changes, ifMatch ? { ifMatch } : {});
      done(item);
      return versionOf(item);
    },
    saved: close,
  });
  return (
    <Dialog title={t('media.altOf', { name: nameOf(media) })} close={close}>
      <MediaImage media={media} />
      <RecordNotices record={record} names={{ alt: t('media.alt') }} />
      {record.values && (
        <Form submit={record.save} busy={record.isSaving}>
          <AltField {...record.bind('alt')} />
          <DialogActions close={close} />
        </Form>
      )}
    </Dialog>
  );
}

const versionOf = (item: MediaItem & { etag?: string }) => ({ values: { alt: textsOf(item) }, etag: item.etag });

/** The alt text by language. */
export const textsOf = ({ alt }: Media): Record<string, string> =>
  typeof alt === 'string' ? { [locale().slice(0, 2)]: alt } : ((alt ?? {}) as Record<string, string>);
