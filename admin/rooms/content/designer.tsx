/** The fields of a schema: added, ordered, and set up one by one. A field's id is its identity, so a stored one stays. */
import type { BlockDefinition } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { labelOf, type Settings, settingsOf } from '../../parts/blocks/field.tsx';
import { CheckField, NumberField, SelectField, TextField } from '../../parts/form.tsx';
import { Section } from '../../parts/page.tsx';
import { TARGETS, type Target } from '../../parts/records/sources.ts';
import { focusMoved, focusSoon } from '../../shell/focus.ts';
import { t } from '../../text/index.ts';

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
  /** Ids that entries may use already. */
  stored: ReadonlySet<string>;
  problemOf: (field: string) => string | undefined;
};

/** From the label: `Minutes to read` is `minutes-to-read`. */
function idFrom(label: string, taken: string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const base = (plain || 'field').slice(0, 50);
  let id = base;
  for (let i = 2; taken.includes(id); i++) id = `${base}-${i}`;
  return id;
}

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
                  aria-label={`${t('parts.moveUp')}: ${labelOf(block)}`}
                  onClick={() => move(i, i - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="icon"
                  data-move="down"
                  disabled={i === value.length - 1}
                  aria-label={`${t('parts.moveDown')}: ${labelOf(block)}`}
                  onClick={() => move(i, i + 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={`${t('parts.remove')}: ${labelOf(block)}`}
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

type SettingsProps = {
  block: BlockDefinition;
  isStored: boolean;
  taken: string[];
  onInput: (block: BlockDefinition) => void;
  problemOf: (name: string) => string | undefined;
};

function BlockSettings({ block, isStored, taken, onInput, problemOf }: SettingsProps) {
  const followsLabel = !isStored && block.id === idFrom(labelOf(block), taken);
  return (
    <div class="schema-settings">
      <div class="fields">
        <TextField
          label={t('content.label')}
          value={block.label ?? ''}
          onInput={(label) => onInput({ ...block, label, ...(followsLabel ? { id: idFrom(label, taken) } : {}) })}
          problem={problemOf('label')}
        />
        <TextField
          label={t('content.blockId')}
          hint={t('content.blockIdHint')}
          value={block.id}
          disabled={isStored}
          onInput={(id) => onInput({ ...block, id })}
          problem={problemOf('id')}
        />
      </div>
      <CheckField
        label={t('content.required')}
        value={block.required ?? false}
        onInput={(required) => onInput({ ...block, required })}
      />
      <TypeSettings block={block} onInput={onInput} problemOf={problemOf} />
    </div>
  );
}

type NumberName = 'minLength' | 'maxLength' | 'min' | 'max';

function TypeSettings({ block, onInput, problemOf }: Pick<SettingsProps, 'block' | 'onInput' | 'problemOf'>) {
  const settings = settingsOf(block);
  /** Undefined takes a setting away. */
  const set = (changes: { [Name in keyof Settings]?: Settings[Name] | undefined }) => {
    const next = Object.fromEntries(
      Object.entries({ ...settings, ...changes }).filter(([, each]) => each !== undefined),
    );
    onInput({ ...block, settings: next });
  };
  const number = (name: NumberName) => (
    <NumberField
      label={t(`content.${name}`)}
      value={settings[name] ?? null}
      onInput={(value) => set({ [name]: value ?? undefined })}
      problem={problemOf(`settings.${name}`)}
    />
  );
  switch (block.type) {
    case 'TEXT':
      return (
        <>
          <CheckField
            label={t('content.rich')}
            value={settings.variant === 'HTML'}
            onInput={(isRich) => set({ variant: isRich ? 'HTML' : undefined })}
          />
          <div class="fields">
            {number('minLength')}
            {number('maxLength')}
          </div>
        </>
      );
    case 'NUMBER':
      return (
        <>
          <CheckField
            label={t('content.integer')}
            value={settings.integer ?? false}
            onInput={(integer) => set({ integer: integer || undefined })}
          />
          <div class="fields">
            {number('min')}
            {number('max')}
          </div>
        </>
      );
    case 'RELATIONSHIP':
      return (
        <>
          <SelectField<Target | ''>
            label={t('content.targetType')}
            value={settings.targetType ?? ''}
            options={[['', t('content.anyTarget')], ...TARGETS.map((each) => [each, t(`blocks.${each}`)] as const)]}
            onInput={(targetType) => set({ targetType: targetType || undefined })}
          />
          <CheckField
            label={t('content.many')}
            value={settings.many ?? false}
            onInput={(many) => set({ many: many || undefined })}
          />
        </>
      );
    case 'SELECT':
    case 'MULTI_SELECT':
      return (
        <Options settings={settings} set={(options) => set({ options })} problem={problemOf('settings.options')} />
      );
    default:
      return null;
  }
}

type OptionsProps = {
  settings: Settings;
  set: (options: NonNullable<Settings['options']>) => void;
  problem: string | undefined;
};

/** A choice on each line. One with a label of its own keeps it. */
function Options({ settings: { options = [] }, set, problem }: OptionsProps) {
  const nameOf = (each: (typeof options)[number]) => (typeof each === 'string' ? each : each.value);
  const [text, setText] = useState(options.map(nameOf).join('\n'));
  return (
    <TextField
      label={t('content.options')}
      hint={t('content.optionsHint')}
      multiline
      rows={3}
      value={text}
      onInput={(typed) => {
        setText(typed);
        const lines = typed.split('\n').map((line) => line.trim());
        set(lines.filter(Boolean).map((line) => options.find((each) => nameOf(each) === line) ?? line));
      }}
      problem={problem}
    />
  );
}
