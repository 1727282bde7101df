import { isSoukError, type MediaItem } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/dialog.tsx';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { useRecord, type Version } from '../../parts/editing/use-record.ts';
import { TextField } from '../../parts/form/form.tsx';
import { useAction, useLoad } from '../../parts/load.ts';
import { textsOf } from '../../parts/media/alt-dialog.tsx';
import { AltField } from '../../parts/media/alt-field.tsx';
import { isImage, nameOf } from '../../parts/media/thumb.tsx';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { date, number } from '../../parts/show.tsx';
import { deleteLater, toast } from '../../parts/toast.tsx';
import { navigate } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { FocalPoint } from './focal-point.tsx';
import { Uses } from './uses.tsx';

type Values = { title: string; alt: Record<string, string>; focalPoint: { x: number; y: number } };

export default function File({ id }: { id: string }) {
  const item = useLoad(`media ${id}`, (signal) => souk.media.get(id, { signal }));
  const toForm = (media: MediaItem & { etag?: string }): Version<Values> => ({
    values: {
      title: media.title ?? '',
      alt: textsOf(media),
      focalPoint: media.focalPoint ?? { x: 0.5, y: 0.5 },
    },
    etag: media.etag,
  });
  const record = useRecord<Values>({
    key: `media form ${id}`,
    load: async (signal) => toForm(await souk.media.get(id, { signal })),
    save: async (changes, { ifMatch }) => {
      const saved = await souk.media.update(id, changes, ifMatch ? { ifMatch } : {});
      item.set(saved);
      return toForm(saved);
    },
  });
  const media = item.data;
  if (!media || !record.values)
    return (
      <PageFrame title={t('media.title')} back="/media">
        <Problem error={item.error ?? record.error} retry={item.error ? item.reload : undefined} />
        <SkeletonRows count={4} />
      </PageFrame>
    );
  const names = { title: t('media.fileTitle'), alt: t('media.alt'), focalPoint: t('media.focalPoint') };
  return (
    <PageFrame title={nameOf(media)} back="/media" actions={can('MEDIA_WRITE') && <Delete media={media} />}>
      <RecordNotices record={record} names={names} />
      <div class="columns">
        <div>
          <Section title={t('media.preview')}>
            {isImage(media) ? (
              <FocalPoint media={media} {...record.bind('focalPoint')} />
            ) : (
              <a href={media.url} target="_blank" rel="noreferrer">
                {media.fileName}
              </a>
            )}
          </Section>
          <Section title={t('media.texts')}>
            <TextField label={t('media.fileTitle')} {...record.bind('title')} />
            {isImage(media) && <AltField {...record.bind('alt')} />}
          </Section>
        </div>
        <div>
          <FileDetails media={media} />
          <Uses id={id} />
        </div>
      </div>
      {can('MEDIA_WRITE') && <SaveBar record={record} />}
    </PageFrame>
  );
}

function FileDetails({ media }: { media: MediaItem }) {
  const facts: [string, string][] = [
    [t('media.fileName'), media.fileName ?? '–'],
    [t('media.type'), media.mimeType],
    [t('media.size'), `${number(Math.ceil((media.size ?? 0) / 1000))} KB`],
    ...(media.width ? ([[t('media.dimensions'), `${media.width} × ${media.height}`]] as [string, string][]) : []),
    [t('media.added'), date(media.createdAt)],
  ];
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(media.url);
    toast(t('media.copied'));
  });
  return (
    <Section title={t('media.facts')}>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="quiet" onClick={() => copy.run()}>
        {t('media.copyUrl')}
      </button>
    </Section>
  );
}

/** Deletes an unused file with an undo option. Asks for confirmation if the file is in use. */
function Delete({ media }: { media: MediaItem }) {
  const [users, setUsers] = useState<number | null>(null);
  const run = (force: boolean) => {
    navigate('/media');
    deleteLater({
      name: nameOf(media),
      hides: media.id,
      reloads: 'media',
      run: async () => {
        try {
          await souk.media.delete(media.id, force ? { query: { force } } : {});
        } catch (error) {
          if (!isSoukError(error, 'NOT_FOUND')) throw error;
        }
      },
    });
  };
  const begin = useAction(async () => {
    const { entities } = await souk.media.listUses(media.id);
    if (entities.length === 0) run(false);
    else setUsers(entities.length);
  });
  return (
    <>
      <button type="button" class="quiet" onClick={() => begin.run()}>
        {t('parts.delete')}
      </button>
      <Problem error={begin.error} />
      {users !== null && (
        <Confirm
          title={t('media.inUse')}
          text={t('media.inUseText', { count: users })}
          action={t('media.deleteEverywhere')}
          run={() => run(true)}
          close={() => setUsers(null)}
        />
      )}
    </>
  );
}
