import {
  type BlockDefinition,
  type BlockSchemaCheck,
  type BlockValue,
  type CheckedBlocks,
  checkBlocks,
  compileBlockSchema,
} from '../../shared/blocks.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { escapeHtml } from '../../shared/escape.ts';
import { getBusiness } from '../businesses/index.ts';
import { findUsedMedia, mediaIdsIn, useMediaInBlocks } from '../media/index.ts';
import type { Reads } from './context.ts';

const MAX_BYTES = 32 * 1024;

type Options = {
  /** A customer's: those that the business requires must be there, and no HTML is read. */
  fromCustomer: boolean;
};

/** `check` is for staff; `customer` reads the same blocks as plain text, of which those in `html` are escaped afterwards. */
type Compiled = { check: BlockSchemaCheck; customer: BlockSchemaCheck; html: ReadonlySet<string> };

/** A compiled schema lives as long as the settings it was read from. */
const compiled = new WeakMap<object, Compiled>();

/**
 * The custom fields of an order, checked against the business's `orderBlocks`, or each against its own type. Their size is
 * checked before anything else looks at them.
 */
export async function checkOrderBlocks(
  ctx: Reads,
  blocks: readonly unknown[],
  options: Options,
): Promise<BlockValue[]> {
  const { db, businessId, content } = ctx;
  const tooLong = blocksTooLong(blocks);
  if (tooLong.length > 0) throw invalid(tooLong);
  const { orderBlocks = [] } = (await getBusiness(ctx, businessId)).configs;
  if (orderBlocks.length === 0 && blocks.length === 0) return [];
  const checked = check(blocks, orderBlocks, options);
  const missing =
    checked.references.length > 0 ? await content.checkReferences(db, businessId, checked.references) : [];
  const errors = [...checked.errors, ...missing];
  if (errors.length > 0) throw invalid(errors);
  const media = await findUsedMedia(ctx, mediaIdsIn(checked.blocks), ctx.media.baseUrl());
  return useMediaInBlocks(checked.blocks, media);
}

export function blocksTooLong(blocks: readonly unknown[]): FieldError[] {
  if (Buffer.byteLength(JSON.stringify(blocks)) <= MAX_BYTES) return [];
  const message = `blocks may have at most ${MAX_BYTES} bytes in all.`;
  return [{ field: 'blocks', error: 'TOO_LONG', message }];
}

function check(blocks: readonly unknown[], orderBlocks: object[], { fromCustomer }: Options): CheckedBlocks {
  if (orderBlocks.length === 0) {
    if (fromCustomer) refuseHtml(blocks);
    return checkBlocks(blocks);
  }
  const schema = schemaOf(orderBlocks);
  if (!fromCustomer) return schema.check(blocks, 'blocks', { draft: true });
  const checked = schema.customer(blocks);
  return {
    ...checked,
    blocks: checked.blocks.map((block) =>
      schema.html.has(block.id) ? { ...block, value: escapeText(block.value) } : block,
    ),
  };
}

/** To sanitise rich text costs time, and customers have no need of it. */
function refuseHtml(blocks: readonly unknown[]): void {
  const errors = blocks.flatMap((block, i): FieldError[] => {
    const { settings } = (block ?? {}) as { settings?: { variant?: unknown } | null };
    const field = `blocks[${i}].settings.variant`;
    return settings?.variant === 'HTML'
      ? [{ field, error: 'INVALID_VALUE', message: `${field} may not be HTML here: send plain text.` }]
      : [];
  });
  if (errors.length > 0) throw invalid(errors);
}

/** Where the business shows HTML, a customer's text is shown as it was typed: a string, or one for each locale. */
function escapeText(value: unknown): unknown {
  if (typeof value === 'string') return escapeHtml(value);
  if (value === null) return null;
  return Object.fromEntries(Object.entries(value as object).map(([locale, text]) => [locale, escapeHtml(text)]));
}

function schemaOf(definitions: object[]): Compiled {
  const known = compiled.get(definitions);
  if (known) return known;
  const blocks = definitions as BlockDefinition[];
  const isHtml = ({ settings }: BlockDefinition) => settings?.variant === 'HTML';
  const made = {
    check: compileBlockSchema(blocks),
    customer: compileBlockSchema(
      blocks.map((block) => (isHtml(block) ? { ...block, settings: { ...block.settings, variant: 'PLAIN' } } : block)),
    ),
    html: new Set(blocks.filter(isHtml).map(({ id }) => id)),
  };
  compiled.set(definitions, made);
  return made;
}
