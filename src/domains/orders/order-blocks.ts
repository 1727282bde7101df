import {
  type BlockDefinition,
  type BlockSchemaCheck,
  type BlockValue,
  type CheckedBlocks,
  checkBlocks,
  compileBlockSchema,
  type Reference,
} from '../../shared/blocks/index.ts';
import { type FieldError, invalid } from '../../shared/errors.ts';
import { escapeHtml } from '../../shared/text/escape.ts';
import { getBusiness } from '../businesses/index.ts';
import { findUsedMedia, mediaIdsIn, useMediaInBlocks } from '../media/index.ts';
import type { Reads } from './context.ts';
import { listOwnOrders } from './queries.ts';

const MAX_BYTES = 32 * 1024;

type Options = {
  /**
   * Null for staff. Customers must send all required blocks, may not send HTML, and can only reference public records and their
   * own orders, so that responses don't reveal others.
   */
  customerId: string | null;
};

/** `check` validates input from staff. `customer` treats all text as plain; blocks in `html` are then escaped. */
type Compiled = { check: BlockSchemaCheck; customer: BlockSchemaCheck; html: ReadonlySet<string> };

/** Compiled schemas, cached by settings object. */
const compiled = new WeakMap<object, Compiled>();

/**
 * Validates the custom fields of an order against the `orderBlocks` of the business, or each against its own type if there are
 * none. Checks the size first.
 */
export async function checkOrderBlocks(
  ctx: Reads,
  blocks: readonly unknown[],
  options: Options,
): Promise<BlockValue[]> {
  const tooLong = blocksTooLong(blocks);
  if (tooLong.length > 0) throw invalid(tooLong);
  const { orderBlocks = [] } = (await getBusiness(ctx, ctx.businessId)).configs;
  if (orderBlocks.length === 0 && blocks.length === 0) return [];
  const checked = check(blocks, orderBlocks, options);
  const errors = [...checked.errors, ...(await checkReferences(ctx, checked.references, options))];
  if (errors.length > 0) throw invalid(errors);
  const media = await findUsedMedia(ctx, mediaIdsIn(checked.blocks), ctx.media.baseUrl());
  return useMediaInBlocks(checked.blocks, media);
}

async function checkReferences(
  { db, businessId, content }: Reads,
  references: readonly Reference[],
  { customerId }: Options,
): Promise<FieldError[]> {
  if (references.length === 0) return [];
  if (customerId === null) return content.checkReferences(db, businessId, references);
  const orderIds = references.filter(({ targetType }) => targetType === 'ORDER').map(({ id }) => id);
  const own = new Set(orderIds.length > 0 ? await listOwnOrders(db, businessId, customerId, orderIds) : []);
  const others = references.filter(({ id }) => !own.has(id));
  return content.checkReferences(db, businessId, others, { publicOnly: true });
}

export function blocksTooLong(blocks: readonly unknown[]): FieldError[] {
  if (Buffer.byteLength(JSON.stringify(blocks)) <= MAX_BYTES) return [];
  const message = `blocks must be at most ${MAX_BYTES} bytes in total.`;
  return [{ field: 'blocks', error: 'TOO_LONG', message }];
}

function check(blocks: readonly unknown[], orderBlocks: object[], { customerId }: Options): CheckedBlocks {
  if (orderBlocks.length === 0) {
    if (customerId !== null) rejectHtml(blocks);
    return checkBlocks(blocks);
  }
  const schema = schemaOf(orderBlocks);
  if (customerId === null) return schema.check(blocks, 'blocks', { draft: true });
  const checked = schema.customer(blocks);
  return {
    ...checked,
    blocks: checked.blocks.map((block) =>
      schema.html.has(block.id) ? { ...block, value: escapeText(block.value) } : block,
    ),
  };
}

/** Sanitizing rich text is expensive, and customers don't need it. */
function rejectHtml(blocks: readonly unknown[]): void {
  const errors = blocks.flatMap((block, i): FieldError[] => {
    const { settings } = (block ?? {}) as { settings?: { variant?: unknown } | null };
    const field = `blocks[${i}].settings.variant`;
    return settings?.variant === 'HTML'
      ? [{ field, error: 'INVALID_VALUE', message: `${field} must not be HTML. Send plain text.` }]
      : [];
  });
  if (errors.length > 0) throw invalid(errors);
}

/** Escapes a customer's text for a block that the business renders as HTML. The text is a string or a string per locale. */
function escapeText(value: unknown): unknown {
  if (typeof value === 'string') return escapeHtml(value);
  if (value === null) return null;
  return Object.fromEntries(Object.entries(value as object).map(([locale, text]) => [locale, escapeHtml(text)]));
}

function schemaOf(definitions: object[]): Compiled {
  const cached = compiled.get(definitions);
  if (cached) return cached;
  const blocks = definitions as BlockDefinition[];
  const isHtml = ({ settings }: BlockDefinition) => settings?.variant === 'HTML';
  const schema = {
    check: compileBlockSchema(blocks),
    customer: compileBlockSchema(
      blocks.map((block) => (isHtml(block) ? { ...block, settings: { ...block.settings, variant: 'PLAIN' } } : block)),
    ),
    html: new Set(blocks.filter(isHtml).map(({ id }) => id)),
  };
  compiled.set(definitions, schema);
  return schema;
}
