/** Builds the JSON schema for the model's response. Pure. */
import { type BlockDefinition, optionsOf } from '../../../shared/blocks/index.ts';
import { counted } from '../../../shared/text/phrases.ts';

/** Whether a value is generated. IDs of records and files never are, nor are choices without options. */
export const isGenerated = (block: BlockDefinition) =>
  block.type !== 'RELATIONSHIP' &&
  block.type !== 'MEDIA' &&
  (!['SELECT', 'MULTI_SELECT'].includes(block.type) || optionsOf(block).length > 0);

/** Strict: all fields are required and no others are allowed. Limits go into descriptions, which every endpoint accepts. */
export function responseSchema(definitions: readonly BlockDefinition[]): object {
  const generated = definitions.filter(isGenerated);
  return {
    type: 'object',
    properties: Object.fromEntries(generated.map((block) => [block.id, valueSchema(block)])),
    required: generated.map(({ id }) => id),
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
          settings.minLength !== undefined && `At least ${counted(Number(settings.minLength), 'character')}`,
          settings.maxLength !== undefined && `At most ${counted(Number(settings.maxLength), 'character')}`,
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
      return { type: 'integer', description: about('A Unix timestamp in seconds') };
    case 'GEO_LOCATION':
      return {
        type: 'object',
        properties: { latitude: { type: 'number' }, longitude: { type: 'number' } },
        required: ['latitude', 'longitude'],
        additionalProperties: false,
        description: about('A location in decimal degrees'),
      };
    case 'SELECT':
      return { type: 'string', enum: optionsOf(block), description: about() };
    default:
      return {
        type: 'array',
        items: { type: 'string', enum: optionsOf(block) },
        description: about('No duplicates'),
      };
  }
}
