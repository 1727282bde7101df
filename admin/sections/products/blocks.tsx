/** Custom fields of a product. Each has its own type. */
import type { Block } from '@souk/client';
import { useState } from 'preact/hooks';
import { BlockFields } from '../../parts/blocks/fields.tsx';
import type { Bound } from '../../parts/form/field-frame.tsx';
import { Form, SelectField, TextField } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page.tsx';
import { t } from '../../text/index.ts';

type Type = Block['type'];
/** Excludes choices, which need a schema with options. */
const TYPES: Type[] = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'MEDIA', 'RELATIONSHIP', 'GEO_LOCATION'];

const idOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

export function Blocks({ value, onInput, problem, error }: Bound<Block[]> & { error: unknown }) {
  const [name, setName] = useState('');
  const [type, setType] = useState<Type>('TEXT');
  const add = () => {
    const id = idOf(name);
    if (!id || value.some((each) => each.id === id)) return;
    onInput([...value, { id, type, label: name.trim(), value: null }]);
    setName('');
  };
  return (
    <Section title={t('products.blocks')}>
      {value.length === 0 && <p class="quiet">{t('products.blocksHint')}</p>}
      <BlockFields value={value} onInput={onInput} error={error} removable />
      <Form submit={add} class="add-field">
        <TextField label={t('products.blockName')} value={name} onInput={setName} problem={problem} />
        <SelectField
          label={t('products.blockType')}
          value={type}
          onInput={setType}
          options={TYPES.map((each) => [each, t(`content.${each}`)])}
        />
        <button type="submit" class="quiet">
          {t('products.addBlock')}
        </button>
      </Form>
    </Section>
  );
}
