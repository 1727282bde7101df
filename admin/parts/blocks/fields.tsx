/**
 * The blocks of a record that is no entry: those of a schema, if there is one, and those that say themselves what they are.
 * `<BlockFields value={blocks} onInput={…} error={record.error} definitions={schema} />`.
 */
import { type Block, type BlockDefinition, isSoukError } from '@souk/client';
import { locale, said, t } from '../../text/index.ts';
import { BlockField, labelOf } from './field.tsx';

type Props = {
  value: Block[];
  onInput: (blocks: Block[]) => void;
  /** What the service says is wrong. */
  error: unknown;
  definitions?: readonly BlockDefinition[];
  removable?: boolean;
};

export function BlockFields({ value, onInput, error, definitions = [], removable = false }: Props) {
  const known = new Set(definitions.map(({ id }) => id));
  const others = value.filter(({ id }) => !known.has(id));
  const set = ({ id, type, label }: BlockDefinition, next: unknown) => {
    const isThere = value.some((block) => block.id === id);
    // Of a schema, what is empty is left out.
    if (known.has(id) && (next === null || next === '')) onInput(value.filter((block) => block.id !== id));
    else if (isThere) onInput(value.map((block) => (block.id === id ? { ...block, value: next } : block)));
    else onInput([...value, { id, type, ...(label ? { label } : {}), value: next }]);
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
                aria-label={`${t('parts.remove')} ${labelOf(definition)}`}
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

/** The service names a block by its number or by its id. */
function problemAt(error: unknown, at: number, id: string): string | undefined {
  const names = [`blocks.${id}`, ...(at >= 0 ? [`blocks[${at}].value`] : [])];
  const details = isSoukError(error) ? error.details : [];
  const detail = details.find(({ field }) => names.some((name) => field === name || field.startsWith(`${name}.`)));
  return detail && said(detail);
}
