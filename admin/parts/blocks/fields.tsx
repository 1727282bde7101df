/**
 * The blocks of a product or an order: the blocks of a schema, if there is one, and blocks with their own type.
 * `<BlockFields value={blocks} onInput={…} error={record.error} definitions={schema} />`.
 */
import { type Block, type BlockDefinition, isSoukError } from '@souk/client';
import { locale, t } from '../../text/index.ts';
import { messageOf } from '../problem.tsx';
import { BlockField, labelOf } from './field.tsx';

type Props = {
  value: Block[];
  onInput: (blocks: Block[]) => void;
  /** The error of the last save. */
  error: unknown;
  definitions?: readonly BlockDefinition[];
  removable?: boolean;
};

export function BlockFields({ value, onInput, error, definitions = [], removable = false }: Props) {
  const known = new Set(definitions.map(({ id }) => id));
  const others = value.filter(({ id }) => !known.has(id));
  const set = ({ id, type, label }: BlockDefinition, next: unknown) => {
    const exists = value.some((block) => block.id === id);
    // Empty blocks of a schema are left out.
    if (known.has(id) && (next === null || next === '')) onInput(value.filter((block) => block.id !== id));
    else if (exists) onInput(value.map((block) => (block.id === id ? ({ ...block, value: next } as Block) : block)));
    else onInput([...value, { id, type, ...(label ? { label } : {}), value: next } as Block]);
  };
  return (
    <>
      {[...definitions, ...others].map((definition) => {
        const at = value.findIndex(({ id }) => id === definition.id);
        return (
          <div key={definition.id} class={removable ? 'removable' : ''}>
            <BlockField
              definition={definition}
              value={value[at]?.value ?? null}
              onInput={(next) => set(definition, next)}
              locale={locale().slice(0, 2)}
              problem={problemAt(error, at, definition.id)}
            />
            {removable && (
              <button
                type="button"
                class="icon"
                aria-label={t('parts.removeItem', { name: labelOf(definition) })}
                onClick={() => onInput(value.filter(({ id }) => id !== definition.id))}
              >
                ×
              </button>
            )}
          </div>
        );
      })}
    </>
  );
}

/** Errors name a block by its index or its ID. */
function problemAt(error: unknown, at: number, id: string): string | undefined {
  const names = [`blocks.${id}`, ...(at >= 0 ? [`blocks[${at}].value`] : [])];
  const details = isSoukError(error) ? error.details : [];
  const detail = details.find(({ field }) => names.some((name) => field === name || field.startsWith(`${name}.`)));
  return detail && messageOf(detail);
}
