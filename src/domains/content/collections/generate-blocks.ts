import { type ChatMessage, ModelFailed } from '../../../providers/ai/port.ts';
import {
  type BlockDefinition,
  type BlockValue,
  checkBlockSettings,
  compileBlockSchema,
  prepareTexts,
} from '../../../shared/blocks.ts';
import { invalid, unavailable } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { answerSchema, isInvented } from './answer-schema.ts';
import { inventValue } from './invent-value.ts';
import type { GenerateInput } from './schemas.ts';

const GENERATE_TIMEOUT_MS = 60_000;

type Checked = { blocks: BlockValue[]; problems: string[] };

const INSTRUCTIONS =
  'You write content for a web site. Fill every field of the JSON schema with a value that fits the request of the user. Answer with one JSON object only.';

/** Values for the blocks, each as good as one that was written: checked and sanitised. Ids are never invented. */
export async function generateBlocks(
  { now, log, content: { model } }: Pick<Steps, 'now' | 'log'> & { content: Pick<Steps['content'], 'model'> },
  input: GenerateInput,
  timeoutMs: number = GENERATE_TIMEOUT_MS,
): Promise<{ blocks: BlockValue[] }> {
  const definitions = input.blocks;
  const errors = checkBlockSettings(definitions);
  if (errors.length > 0) throw invalid(errors);
  if (model === null || !definitions.some(isInvented)) return { blocks: inventAll(definitions, input.prompt, now) };
  const schema = answerSchema(definitions);
  const check = answerCheck(definitions);
  const messages: ChatMessage[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: input.prompt },
  ];
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await model.complete(messages, schema, signal);
    const checked = await check(answer);
    if (checked.problems.length === 0) return { blocks: checked.blocks };
    const repair = `This does not fit:\n${checked.problems.slice(0, 50).join('\n')}\nAnswer again with the whole object.`;
    messages.push({ role: 'assistant', content: answer.slice(0, 20_000) }, { role: 'user', content: repair });
    const repaired = await check(await model.complete(messages, schema, signal));
    if (repaired.problems.length === 0) return { blocks: repaired.blocks };
    log.warn({ problems: repaired.problems.slice(0, 5) }, 'the model gave values that do not fit, twice');
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    log.warn({ err: error }, 'the model failed');
  }
  throw unavailable('The generator is not available right now. Try again soon.');
}

/** Checks the text of an answer as a write would be checked. */
function answerCheck(definitions: readonly BlockDefinition[]): (answer: string) => Promise<Checked> {
  const check = compileBlockSchema(definitions.map((block) => ({ ...block, required: isInvented(block) })));
  return async (answer) => {
    let values: unknown;
    try {
      values = JSON.parse(answer);
    } catch {
      return { blocks: [], problems: ['It is not JSON.'] };
    }
    if (typeof values !== 'object' || values === null) return { blocks: [], problems: ['It is not an object.'] };
    const given = values as Record<string, unknown>;
    const filled = definitions.map((block) => ({
      id: block.id,
      value: isInvented(block) && Object.hasOwn(given, block.id) ? given[block.id] : null,
    }));
    const { sanitize } = await prepareTexts(filled);
    const { blocks, errors } = check(filled, 'blocks', { sanitize });
    return { blocks, problems: errors.map(({ field, message }) => message.replace(field, nameOf(field, definitions))) };
  };
}

/** `blocks[2].value.en` is known to the model as `title.en`. */
const nameOf = (field: string, definitions: readonly BlockDefinition[]) =>
  field.replace(/^blocks\[(\d+)\]\.value/, (_, index) => definitions[Number(index)]?.id ?? '');

/** Characters that are invented in all: a write could not hold much more. */
const MAX_INVENTED = 100_000;

function inventAll(definitions: readonly BlockDefinition[], prompt: string, nowSeconds: number): BlockValue[] {
  let room = MAX_INVENTED;
  return definitions.map((block) => {
    room -= (block.settings?.minLength as number | undefined) ?? 0;
    return room < 0 ? emptyBlock(block) : invent(block, prompt, nowSeconds);
  });
}

const emptyBlock = ({ id, type }: BlockDefinition): BlockValue => ({ id, type, value: null });

/** Settings that no value can meet leave the block empty. */
function invent(block: BlockDefinition, prompt: string, nowSeconds: number): BlockValue {
  const value = isInvented(block) ? inventValue(block, prompt, nowSeconds) : null;
  const { blocks, errors } = compileBlockSchema([block])([{ id: block.id, value }], 'blocks', { draft: true });
  return errors.length === 0 ? blocks[0]! : emptyBlock(block);
}
