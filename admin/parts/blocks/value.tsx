/** A block's value as readable text: `<BlockValue block={block} />`. `blockText(value)` is its plain text. */
import type { Block, Media } from '@souk/client';
import { t } from '../../text/index.ts';
import { nameOf, Thumb } from '../media/thumb.tsx';
import { dateTime } from '../show.tsx';

export function BlockValue({ block: { type, value } }: { block: Block }) {
  if (value === null || value === undefined) return <>–</>;
  if (type === 'BOOLEAN') return <>{t(value ? 'parts.yes' : 'parts.no')}</>;
  if (type === 'DATE') return <>{dateTime(value as number)}</>;
  if (type !== 'MEDIA') return <>{blockText(value)}</>;
  return (
    <span class="media-values">
      {([value].flat() as Media[]).map((media) => (
        <a key={media.id ?? media.url} href={media.url} target="_blank" rel="noreferrer" title={nameOf(media)}>
          <Thumb media={media} alt={nameOf(media)} />
        </a>
      ))}
    </span>
  );
}

export function blockText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value === null || value === undefined) return '';
  return Object.values(value as Record<string, unknown>)
    .map(blockText)
    .filter(Boolean)
    .join(', ');
}
