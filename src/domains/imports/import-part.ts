/** The parts of a whole business that are few: its settings, roles, collections and promo codes. */
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import { type BusinessChange, type Configs, changeBusiness, importRole } from '../businesses/index.ts';
import { createCollection, existingCollections } from '../content/index.ts';
import { createPromo } from '../pricing/index.ts';
import type { Command } from './context.ts';
import type { PartImport } from './formats/format.ts';

type Saved = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

export async function importPart(ctx: Command, kind: string, { kept: known, input: data }: PartImport): Promise<Saved> {
  try {
    switch (kind) {
      case 'business':
        await changeBusiness(ctx, withoutSecrets(data as BusinessChange));
        return { result: 'UPDATED', id: ctx.businessId };
      case 'role':
        return {
          result: await importRole(ctx, { ...known, ...(data as { name: string; permissions: string[] }) }),
          id: known.id ?? '',
        };
      case 'collection': {
        const [exists] = await existingCollections(ctx.db, ctx.businessId, [known.id ?? ''], false);
        if (exists) return { result: 'UNCHANGED', id: exists };
        return { result: 'CREATED', id: (await createCollection(ctx, data as never, known)).id };
      }
      default:
        return { result: 'CREATED', id: (await createPromo(ctx, data as never, known)).id };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.details.length === 0) throw error;
    return { errors: error.details };
  }
}

/** The slug is another business's, most likely; a provider is nothing without its keys, which an export does not have. */
function withoutSecrets({ slug: _, configs, ...rest }: BusinessChange): BusinessChange {
  const { paymentProvider, ...others }: Configs = configs ?? {};
  const isWhole = paymentProvider?.type === 'SANDBOX';
  return { ...rest, configs: { ...others, ...(isWhole ? { paymentProvider: { type: 'SANDBOX' } } : {}) } };
}
