/** Adds, orders and edits the fields of a schema. The ID of a stored field can't be changed. */
import type { BlockDefinition } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { labelOf } from '../../parts/blocks/field.tsx';
import { SelectField } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page.tsx';
import { focusMoved, focusSoon } from '../../shell/focus.ts';
import { t } from '../../text/index.ts';
import { BlockSettings, idFrom } from './block-settings.tsx';

type Type = BlockDefinition['type'];
const TYPES: Type[] = [
  'TEXT',
  'NUMBER',
  'BOOLEAN',
  'DATE',
  'SELECT',
  'MULTI_SELECT',
  'MEDIA',
  'RELATIONSHIP',
  'GEO_LOCATION',
];

type Props = {
  value: BlockDefinition[];
  onInput: (blocks: BlockDefinition[]) => void;
  /** IDs of stored fields, which entries may use. */
  stored: ReadonlySet<string>;
  problemOf: (field: string) => string | undefined;
};

export function SchemaDesigner({ value, onInput, stored, problemOf }: Props) {
  const [type, setType] = useState<Type>('TEXT');
  const [open, setOpen] = useState<number | null>(null);
  const set = (at: number, next: BlockDefinition) => onInput(value.map((each, i) => (i === at ? next : each)));
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number) => {
    const next = [...value];
    next.splice(to, 0, ...next.splice(from, 1));
    onInput(next);
    setOpen(null);
    focusMoved(list.current, to, to < from ? 'up' : 'down');
  };
  const add = () => {
    const label = t(`content.${type}`);
    const id = idFrom(
      label,
      value.map((each) => each.id),
    );
    const settings = type === 'SELECT' || type === 'MULTI_SELECT' ? { settings: { options: ['A', 'B'] } } : {};
    onInput([...value, { id, type, label, required: false, ...settings }]);
    setOpen(value.length);
    focusSoon(() => list.current?.children[value.length]?.querySelector('input'));
  };
  return (
    <Section title={t('content.fields')}>
      {value.length === 0 && <p class="quiet">{t('content.noBlocks')}</p>}
      <ol class="schema" ref={list}>
        {value.map((block, i) => (
          <li key={i}>
            <div class="schema-head">
              <button
                type="button"
                class="link"
                aria-expanded={open === i}
                onClick={() => setOpen(open === i ? null : i)}
              >
                {labelOf(block)}
              </button>
              <span class="badge">{t(`content.${block.type}`)}</span>
              <span class="actions">
                <button
                  type="button"
                  class="icon"
                  data-move="up"
                  disabled={i === 0}
                  aria-label={t('parts.moveItemUp', { name: labelOf(block) })}
                  onClick={() => move(i, i - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="icon"
                  data-move="down"
                  disabled={i === value.length - 1}
                  aria-label={t('parts.moveItemDown', { name: labelOf(block) })}
                  onClick={() => move(i, i + 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={t('parts.removeItem', { name: labelOf(block) })}
                  onClick={() => onInput(value.filter((_, at) => at !== i))}
                >
                  ×
                </button>
              </span>
            </div>
            {open === i && (
              <BlockSettings
                block={block}
                isStored={stored.has(block.id)}
                taken={value.filter((_, at) => at !== i).map(({ id }) => id)}
                onInput={(next) => set(i, next)}
                problemOf={(name) => problemOf(`blocks[${i}].${name}`)}
              />
            )}
          </li>
        ))}
      </ol>
      <div class="add-block">
        <SelectField
          label={t('content.blockType')}
          value={type}
          onInput={setType}
          options={TYPES.map((each) => [each, t(`content.${each}`)])}
        />
        <button type="button" class="quiet" onClick={add}>
          {t('content.addBlock')}
        </button>
      </div>
    </Section>
  );
}
