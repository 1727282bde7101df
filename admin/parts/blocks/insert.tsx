/** Inserts an element into rich text: first the choice, then its details. */
import { useState } from 'preact/hooks';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { Form, TextField } from '../form/form.tsx';
import { MediaField, MediaPicker } from '../media/picker.tsx';
import { altOf } from '../media/thumb.tsx';
import { RecordPicker } from '../records/picker.tsx';
import type { RichEditor } from './rich-editor.ts';
import type { Picture } from './rich-elements.ts';

const ELEMENTS = ['figure', 'gallery', 'button', 'product', 'embed', 'columns2', 'columns3', 'divider'] as const;
type Name = (typeof ELEMENTS)[number];
type Media = Parameters<Parameters<typeof MediaPicker>[0]['choose']>[0][number];
type Props = { editor: RichEditor; close: () => void };

const toPicture = (media: Media): Picture => ({
  src: media.resolutions?.large?.url ?? media.url,
  alt: altOf(media),
});

export function Insert({ editor, close }: Props) {
  const [name, setName] = useState<Name | null>(null);
  const insert = (...content: Parameters<RichEditor['insertElement']>) => {
    editor.insertElement(...content);
    close();
  };
  const choose = (next: Name) => {
    if (next === 'divider') insert({ type: 'horizontalRule' });
    else if (next === 'columns2' || next === 'columns3') insert(columns(next === 'columns2' ? 2 : 3));
    else setName(next);
  };
  if (name === 'figure')
    return (
      <MediaPicker
        type="IMAGE"
        close={close}
        choose={([media]) => media && insert({ type: 'figure', attrs: toPicture(media) })}
      />
    );
  if (name === 'gallery')
    return (
      <MediaPicker
        type="IMAGE"
        many
        close={close}
        choose={(all) => all.length > 0 && insert({ type: 'gallery', attrs: { pictures: all.map(toPicture) } })}
      />
    );
  if (name === 'product')
    return (
      <RecordPicker
        label={t('elements.product')}
        target="PRODUCT"
        chosen={[]}
        close={close}
        choose={(record) => insert({ type: 'product', attrs: { id: record.id, name: record.name } })}
      />
    );
  if (name === 'button' || name === 'embed') return <Linked name={name} insert={insert} close={close} />;
  return (
    <Dialog title={t('elements.insert')} close={close}>
      <ul class="insert-list">
        {ELEMENTS.map((each) => (
          <li key={each}>
            <button type="button" class="quiet" onClick={() => choose(each)}>
              <Icon name={ICONS[each]} />
              <span>
                {t(`elements.${each}`)}
                <small>{t(`elements.${each}Hint`)}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const ICONS: Record<Name, string> = {
  figure: 'image',
  gallery: 'gallery',
  button: 'button',
  product: 'products',
  embed: 'embed',
  columns2: 'columns2',
  columns3: 'columns3',
  divider: 'divider',
};

const columns = (count: number) => ({
  type: 'columns',
  content: Array.from({ length: count }, () => ({ type: 'column', content: [{ type: 'paragraph' }] })),
});

type LinkedProps = {
  name: 'button' | 'embed';
  insert: (...content: Parameters<RichEditor['insertElement']>) => void;
  close: () => void;
};

/** A button or an embed: a link with text, plus an image for an embed. */
function Linked({ name, insert, close }: LinkedProps) {
  const [label, setLabel] = useState('');
  const [href, setHref] = useState('');
  const [media, setMedia] = useState<Media[]>([]);
  const submit = () => {
    const content = label.trim() ? [{ type: 'text', text: label.trim() }] : [];
    const picture = media[0] ? toPicture(media[0]) : {};
    insert({ type: name, attrs: { href: href.trim(), ...(name === 'embed' ? picture : {}) }, content });
  };
  return (
    <Dialog title={t(`elements.${name}`)} close={close}>
      <Form submit={submit}>
        <TextField
          label={t(name === 'button' ? 'elements.label' : 'elements.title')}
          required
          value={label}
          onInput={setLabel}
        />
        <TextField label={t('blocks.linkUrl')} type="url" required value={href} onInput={setHref} />
        {name === 'embed' && <MediaField label={t('elements.preview')} type="IMAGE" value={media} onInput={setMedia} />}
        <div class="actions end">
          <button type="submit" disabled={!label.trim() || !/^(https?:\/\/|mailto:|tel:|\/)./.test(href.trim())}>
            {t('elements.insert')}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
