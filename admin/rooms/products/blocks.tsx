/** Custom fields of a product: texts, numbers and yes or no. What is of another type stays as it is. */
import type { Block } from '@souk/client';
import { useState } from 'preact/hooks';
import { type Bound, CheckField, Form, NumberField, TextField } from '../../parts/form.tsx';
import { Section } from '../../parts/page.tsx';
import { t } from '../../text/index.ts';

const idOf = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

export function Blocks({ value, onInput, problem }: Bound<Block[]>) {
  const [name, setName] = useState('');
  const set = (i: number, next: unknown) =>
    onInput(value.map((each, j) => (i === j ? { ...each, value: next } : each)));
  const add = () => {
    const id = idOf(name);
    if (!id || value.some((each) => each.id === id)) return;
    onInput([...value, { id, type: 'TEXT', label: name.trim(), value: '' }]);
    setName('');
  };
  return (
    <Section title={t('products.blocks')}>
      {value.length === 0 && <p class="quiet">{t('products.blocksHint')}</p>}
      {value.map((block, i) => (
        <div key={block.id} class="joined">
          <BlockField block={block} set={(next) => set(i, next)} />
          <button
            type="button"
            class="icon"
            aria-label={`${t('parts.remove')} ${block.label ?? block.id}`}
            onClick={() => onInput(value.filter((_, j) => j !== i))}
          >
            ×
          </button>
        </div>
      ))}
      <Form submit={add} class="joined">
        <TextField label={t('products.blockName')} value={name} onInput={setName} problem={problem} />
        <button type="submit" class="quiet">
          {t('products.addBlock')}
        </button>
      </Form>
    </Section>
  );
}

function BlockField({ block: { id, type, label = id, value }, set }: { block: Block; set: (value: unknown) => void }) {
  if (type === 'NUMBER') return <NumberField label={label} value={(value as number | null) ?? null} onInput={set} />;
  if (type === 'BOOLEAN') return <CheckField label={label} value={value === true} onInput={set} />;
  if (type === 'TEXT' && (typeof value === 'string' || value == null))
    return <TextField label={label} value={value ?? ''} onInput={set} />;
  return (
    <p>
      <strong>{label}</strong>
      <br />
      <small class="quiet">{JSON.stringify(value)}</small>
    </p>
  );
}
