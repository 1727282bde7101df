/** Extra information that a custom storefront sends with an order, such as a gift message. */
import type { BlockDefinition } from '@souk/client';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, SelectField, TagsField, TextField } from '../../../parts/form/form.tsx';
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = { orderBlocks: BlockDefinition[] };
const TYPES: BlockDefinition['type'][] = [
  'TEXT',
  'NUMBER',
  'BOOLEAN',
  'DATE',
  'SELECT',
  'MULTI_SELECT',
  'GEO_LOCATION',
  'MEDIA',
  'RELATIONSHIP',
];

export default function Page() {
  const record = useBusiness<Values>({
    name: 'order-fields',
    read: ({ configs }) => ({ orderBlocks: configs.orderBlocks ?? [] }),
    write: ({ orderBlocks }) => ({ configs: { orderBlocks: orderBlocks.map(withoutEmpty) } }),
  });
  return (
    <PartForm path="order-fields" record={record} names={{ orderBlocks: t('settings.orderFields') }}>
      {({ orderBlocks }) => (
        <>
          <p class="quiet">{t('settings.orderFieldsText')}</p>
          <ListEditor
            items={orderBlocks}
            onInput={(next) => record.set('orderBlocks', next)}
            name={({ id, label }, i) => label || id || t('settings.field', { number: i + 1 })}
            add={{
              label: t('settings.addField'),
              make: (): BlockDefinition => ({ id: '', type: 'TEXT', label: '', required: false }),
            }}
            empty={t('settings.noFields')}
          >
            {(block, set, i) => <BlockFields block={block} set={set} index={i} record={record} />}
          </ListEditor>
        </>
      )}
    </PartForm>
  );
}

function withoutEmpty({ label, settings, ...block }: BlockDefinition): BlockDefinition {
  const set = Object.entries(settings ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...block,
    ...(label?.trim() ? { label } : {}),
    ...(set.length > 0 ? { settings: Object.fromEntries(set) } : {}),
  };
}

type FieldsProps = {
  block: BlockDefinition;
  set: (block: BlockDefinition) => void;
  index: number;
  record: FormRecord<Values>;
};

function BlockFields({ block, set, index, record }: FieldsProps) {
  const problem = (field: string) => record.problem(`configs.orderBlocks[${index}].${field}`);
  return (
    <>
      <div class="fields">
        <TextField
          label={t('settings.code')}
          hint={t('settings.fieldCodeHint')}
          value={block.id}
          onInput={(id) => set({ ...block, id: id.trim() })}
          problem={problem('id')}
        />
        <TextField
          label={t('settings.label')}
          value={block.label ?? ''}
          onInput={(label) => set({ ...block, label })}
          problem={problem('label')}
        />
        <SelectField
          label={t('settings.fieldType')}
          value={block.type}
          // Settings depend on the type.
          onInput={(type) => set({ ...block, type, settings: {} })}
          options={TYPES.map((type) => [type, t(`settings.${type as 'TEXT'}`)] as const)}
          problem={problem('type')}
        />
      </div>
      <BlockSettings block={block} set={set} problem={problem} />
      <CheckField
        label={t('settings.required')}
        hint={t('settings.requiredFieldHint')}
        value={block.required ?? false}
        onInput={(required) => set({ ...block, required })}
      />
    </>
  );
}

type SettingsProps = Pick<FieldsProps, 'block' | 'set'> & { problem: (field: string) => string | undefined };

function BlockSettings({ block, set, problem }: SettingsProps) {
  const settings = block.settings ?? {};
  const change = (name: string, value: unknown) => set({ ...block, settings: { ...settings, [name]: value } });
  const number = (name: 'minLength' | 'maxLength' | 'min' | 'max') => (
    <NumberField
      label={optional(t(`settings.${name}`))}
      value={(settings[name] as number | undefined) ?? null}
      onInput={(value) => change(name, value)}
      problem={problem(`settings.${name}`)}
    />
  );
  if (block.type === 'TEXT') {
    return (
      <div class="fields">
        {number('minLength')}
        {number('maxLength')}
      </div>
    );
  }
  if (block.type === 'NUMBER') {
    return (
      <div class="fields">
        {number('min')}
        {number('max')}
      </div>
    );
  }
  if (block.type === 'SELECT' || block.type === 'MULTI_SELECT') {
    const options = (settings.options ?? []) as (string | { value: string })[];
    return (
      <TagsField
        label={t('settings.options')}
        hint={t('settings.optionsHint')}
        value={options.map((each) => (typeof each === 'string' ? each : each.value))}
        onInput={(next) =>
          // Keeps the label of an option.
          change(
            'options',
            next.map((text) => options.find((each) => typeof each === 'object' && each.value === text) ?? text),
          )
        }
        problem={problem('settings.options') ?? problem('settings')}
      />
    );
  }
  return null;
}
