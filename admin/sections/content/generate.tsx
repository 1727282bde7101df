/** Generates values. The result is shown first, and only selected values are applied to the form. */
import type { Block, BlockDefinition } from '@souk/client';
import { useState } from 'preact/hooks';
import { labelOf, settingsOf } from '../../parts/blocks/field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem } from '../../parts/problem.tsx';
import { dateTime } from '../../parts/show.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** References and files can't be generated. */
const UNSUPPORTED = ['RELATIONSHIP', 'MEDIA'];
const TIMEOUT_MS = 90_000;

type Props = { definitions: BlockDefinition[]; apply: (blocks: Block[]) => void; close: () => void };

export function Generate({ definitions, apply, close }: Props) {
  const supported = definitions.filter(({ type }) => !UNSUPPORTED.includes(type));
  const [prompt, setPrompt] = useState('');
  const [selected, setSelected] = useState<string[]>(supported.map(({ id }) => id));
  const [result, setResult] = useState<Block[]>();
  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id]));
  const generate = useAction(async () => {
    const blocks = supported.filter(({ id }) => selected.includes(id));
    const response = await souk.collections.generateBlocks({ prompt, blocks }, { timeoutMs: TIMEOUT_MS, tries: 1 });
    setResult(response.blocks);
  });
  const definitionOf = (id: string) => definitions.find((each) => each.id === id)!;
  return (
    <Dialog title={t('content.generateTitle')} close={close} wide>
      <Form submit={() => prompt.trim() && generate.run()} busy={generate.isBusy}>
        <TextField label={t('content.generatePrompt')} multiline rows={2} value={prompt} onInput={setPrompt} />
        {!result && (
          <fieldset>
            <legend>{t('content.generateFor')}</legend>
            {supported.map((definition) => (
              <CheckField
                key={definition.id}
                label={labelOf(definition)}
                value={selected.includes(definition.id)}
                onInput={() => toggle(definition.id)}
              />
            ))}
          </fieldset>
        )}
        <Problem error={generate.error} />
        <p role="status">{generate.isBusy ? t('content.generating') : ''}</p>
        {result?.map(({ id, value }) => (
          <div key={id} class="suggestion">
            <CheckField label={labelOf(definitionOf(id))} value={selected.includes(id)} onInput={() => toggle(id)} />
            <pre>{describeValue(definitionOf(id), value)}</pre>
          </div>
        ))}
        <p class="hint">{t('content.generateText')}</p>
        <div class="actions end">
          <button type="submit" class={result ? 'quiet' : ''} disabled={!prompt.trim() || selected.length === 0}>
            {t(result ? 'content.generateAgain' : 'content.generateRun')}
          </button>
          {result && (
            <button
              type="button"
              onClick={() => {
                apply(result.filter(({ id, value }) => selected.includes(id) && value != null));
                close();
              }}
            >
              {t('content.generateApply')}
            </button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

/** Readable text: rich text without its tags. */
function describeValue(definition: BlockDefinition, value: unknown): string {
  if (value == null) return t('content.empty');
  if (definition.type === 'DATE') return dateTime(value as number);
  if (definition.type === 'BOOLEAN') return t(value ? 'parts.yes' : 'parts.no');
  if (typeof value === 'object') return Array.isArray(value) ? value.join(', ') : JSON.stringify(value, null, 1);
  if (settingsOf(definition).variant !== 'HTML') return String(value);
  const spaced = String(value).replace(/<\/(p|h\d|li|blockquote)>/g, '$&\n');
  return new DOMParser().parseFromString(spaced, 'text/html').body.textContent?.trim() ?? '';
}
