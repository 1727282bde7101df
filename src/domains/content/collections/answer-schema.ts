/** The JSON schema that a model has to answer with, made from blocks. Pure. */
import { type BlockDefinition, optionsOf } from '../../../shared/blocks.ts';

/** Ids of records and files are never invented; without options there is nothing to choose from. */
export const isInvented = (block: BlockDefinition) =>
  block.type !== 'RELATIONSHIP' &&
  block.type !== 'MEDIA' &&
  (!['SELECT', 'MULTI_SELECT'].includes(block.type) || optionsOf(block).length > 0);

/** Strict: every field is required and there are no others. Limits are said in words, which every endpoint accepts. */
export function answerSchema(definitions: readonly BlockDefinition[]): object {
  const asked = definitions.filter(isInvented);
  return {
    type: 'object',
    properties: Object.fromEntries(asked.map((block) => [block.id, valueSchema(block)])),
    required: asked.map(({ id }) => id),
    additionalProperties: false,
  };
}

function valueSchema(block: BlockDefinition): object {
  const { settings = {}, label } = block;
  const about = (...words: (string | false)[]) => [label ?? false, ...words].filter(Boolean).join('. ');
  switch (block.type) {
    case 'TEXT':
      return {
        type: 'string',
        description: about(
          settings.variant === 'HTML' && 'Simple HTML: headings, paragraphs, lists, emphasis, links',
          settings.minLength !== undefined && `At least ${settings.minLength} characters`,
          settings.maxLength !== undefined && `At most ${settings.maxLength} characters`,
        ),
      };
    case 'NUMBER':
      return {
        type: settings.integer ? 'integer' : 'number',
        description: about(
          settings.min !== undefined && `At least ${settings.min}`,
          settings.max !== undefined && `At most ${settings.max}`,
        ),
      };
    case 'BOOLEAN':
      return { type: 'boolean', description: about() };
    case 'DATE':
      return { type: 'integer', description: about('A time in seconds since 1970-01-01 UTC') };
    case 'GEO_LOCATION':
      return {
        type: 'object',
        properties: { latitude: { type: 'number' }, longitude: { type: 'number' } },
        required: ['latitude', 'longitude'],
        additionalProperties: false,
        description: about('A place in degrees'),
      };
    case 'SELECT':
      return { type: 'string', enum: optionsOf(block), description: about() };
    default:
      return {
        type: 'array',
        items: { type: 'string', enum: optionsOf(block) },
        description: about('Each at most once'),
      };
  }
}
