import { type ChatMessage, ModelFailed } from '../../../providers/ai/port.ts';
import {
  type BlockDefinition,
  type BlockValue,
  checkBlockSettings,
  compileBlockSchema,
  prepareTexts,
} from '../../../shared/blocks/index.ts';
import { invalid, unavailable } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';
import { generateValue } from './generate-value.ts';
import { isGenerated, responseSchema } from './response-schema.ts';
import type { GenerateInput } from './schemas.ts';

const GENERATE_TIMEOUT_MS = 60_000;

type Checked = { blocks: BlockValue[]; errors: string[] };

const INSTRUCTIONS =
  'You write content for a website. Fill every field of the JSON schema with a value that matches the request. Respond with a single JSON object.';

/** Generates values for the blocks, validated and sanitized like any write. IDs are never generated. */
export async function generateBlocks(
  {
    businessId,
    now,
    log,
    content: { model },
  }: Pick<Query, 'businessId' | 'now' | 'log'> & { content: Pick<Query['content'], 'model'> },
  { timeoutMs = GENERATE_TIMEOUT_MS, ...input }: GenerateInput & { timeoutMs?: number },
): Promise<{ blocks: BlockValue[] }> {
  const definitions = input.blocks;
  const errors = checkBlockSettings(definitions);
  if (errors.length > 0) throw invalid(errors);
  if (model === null || !definitions.some(isGenerated)) return { blocks: generateAll(definitions, input.prompt, now) };
  const schema = responseSchema(definitions);
  const check = responseCheck(businessId, definitions);
  const messages: ChatMessage[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: input.prompt },
  ];
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await model.complete(messages, schema, signal);
    const checked = await check(response);
    if (checked.errors.length === 0) return { blocks: checked.blocks };
    const repair = `This is invalid:\n${checked.errors.slice(0, 50).join('\n')}\nRespond again with the complete object.`;
    messages.push({ role: 'assistant', content: response.slice(0, 20_000) }, { role: 'user', content: repair });
    const repaired = await check(await model.complete(messages, schema, signal));
    if (repaired.errors.length === 0) return { blocks: repaired.blocks };
    log.warn({ errors: repaired.errors.slice(0, 5) }, 'AI model returned invalid values twice');
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    log.warn({ err: error }, 'AI model request failed');
  }
  throw unavailable('Content generation is temporarily unavailable. Try again later.');
}

/** Validates a response like a write. */
function responseCheck(
  businessId: string,
  definitions: readonly BlockDefinition[],
): (response: string) => Promise<Checked> {
  const check = compileBlockSchema(definitions.map((block) => ({ ...block, required: isGenerated(block) })));
  return async (response) => {
    let values: unknown;
    try {
      values = JSON.parse(response);
    } catch {
      return { blocks: [], errors: ['The response is not valid JSON.'] };
    }
    if (typeof values !== 'object' || values === null)
      return { blocks: [], errors: ['The response is not a JSON object.'] };
    const given = values as Record<string, unknown>;
    const filled = definitions.map((block) => ({
      id: block.id,
      value: isGenerated(block) && Object.hasOwn(given, block.id) ? given[block.id] : null,
    }));
    const { sanitize } = await prepareTexts(businessId, filled);
    const { blocks, errors } = check(filled, 'blocks', { sanitize });
    return { blocks, errors: errors.map(({ field, message }) => message.replace(field, nameOf(field, definitions))) };
  };
}

/** Converts a field path to the name that the model uses: `blocks[2].value.en` to `title.en`. */
const nameOf = (field: string, definitions: readonly BlockDefinition[]) =>
  field.replace(/^blocks\[(\d+)\]\.value/, (_, index) => definitions[Number(index)]?.id ?? '');

/** Maximum number of generated characters. A write could not store much more. */
const MAX_GENERATED = 100_000;

function generateAll(definitions: readonly BlockDefinition[], prompt: string, nowSeconds: number): BlockValue[] {
  let left = MAX_GENERATED;
  return definitions.map((block) => {
    left -= (block.settings?.minLength as number | undefined) ?? 0;
    return left < 0 ? emptyBlock(block) : generateBlock(block, prompt, nowSeconds);
  });
}

const emptyBlock = ({ id, type }: BlockDefinition): BlockValue => ({ id, type, value: null });

/** Leaves the block empty if no value can satisfy its settings. */
function generateBlock(block: BlockDefinition, prompt: string, nowSeconds: number): BlockValue {
  const value = isGenerated(block) ? generateValue(block, prompt, nowSeconds) : null;
  const { blocks, errors } = compileBlockSchema([block])([{ id: block.id, value }], 'blocks', { draft: true });
  return errors.length === 0 ? blocks[0]! : emptyBlock(block);
}
