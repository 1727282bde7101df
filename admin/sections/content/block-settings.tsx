/** The settings of one field of a schema. */
import type { BlockDefinition } from '@souk/client';
import { useState } from 'preact/hooks';
import { labelOf, type Settings, settingsOf } from '../../parts/blocks/field.tsx';
import { CheckField, SelectField, TextField } from '../../parts/form/form.tsx';
import { NumberField } from '../../parts/form/number-fields.tsx';
import { TARGETS, type Target } from '../../parts/records/sources.ts';
import { t } from '../../text/index.ts';

/** Derives an ID from the label: `Reading time` becomes `reading-time`. */
export function idFrom(label: string, taken: string[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const base = (plain || 'field').slice(0, 50);
  let id = base;
  for (let i = 2; taken.includes(id); i++) id = `${base}-${i}`;
  return id;
}

type SettingsProps = {
  block: BlockDefinition;
  isStored: boolean;
  taken: string[];
  onInput: (block: BlockDefinition) => void;
  problemOf: (name: string) => string | undefined;
};

export function BlockSettings({ block, isStored, taken, onInput, problemOf }: SettingsProps) {
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
  /** Undefined removes a setting. */
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

/** One option per line. An option that has its own label keeps it. */
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
