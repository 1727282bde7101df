/** The parts of a whole business that are few: its settings, roles, members, collections and promo codes. */
import { emailKey } from '../../shared/email.ts';
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import {
  type BusinessChange,
  type Configs,
  changeBusiness,
  importRole,
  inviteMember,
  type MemberExport,
  spendInvitation,
} from '../businesses/index.ts';
import { createCollection, existingCollections } from '../content/index.ts';
import { raiseOrderNumber } from '../orders/index.ts';
import { createPromo } from '../pricing/index.ts';
import type { Command, Steps } from './context.ts';
import type { PartImport } from './formats/format.ts';

type Saved = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

export async function importPart(ctx: Command, kind: string, { former, input: data }: PartImport): Promise<Saved> {
  try {
    switch (kind) {
      case 'business':
        await changeBusiness(ctx, withoutSecrets(data as BusinessChange));
        return { result: 'UPDATED', id: ctx.businessId };
      case 'orders':
        await raiseOrderNumber(ctx.db, ctx.businessId, (data as { lastNumber: number }).lastNumber);
        return { result: 'UPDATED', id: ctx.businessId };
      case 'member':
        if (isCaller(ctx, data as MemberExport)) return { result: 'UNCHANGED', id: ctx.caller.userId };
        return { result: 'CREATED', id: (await inviteMember(ctx, data as MemberExport)).id };
      case 'role':
        return {
          result: await importRole(ctx, { ...former, ...(data as { name: string; permissions: string[] }) }),
          id: former.id ?? '',
        };
      case 'collection': {
        const [exists] = await existingCollections(ctx.db, ctx.businessId, [former.id ?? ''], false);
        if (exists) return { result: 'UNCHANGED', id: exists };
        return { result: 'CREATED', id: (await createCollection(ctx, data as never, former)).id };
      }
      default:
        return { result: 'CREATED', id: (await createPromo(ctx, data as never, former)).id };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.details.length === 0) throw error;
    return { errors: error.details };
  }
}

/** Whoever imports is a member already. */
const isCaller = ({ caller }: Pick<Command, 'caller'>, { email }: MemberExport) =>
  caller.email !== null && emailKey(caller.email) === emailKey(email);

/** Outside the transaction that writes the invitation. */
export async function prepareInvitation(ctx: Steps, { input }: PartImport): Promise<void> {
  const member = input as MemberExport;
  if (!isCaller(ctx, member)) await spendInvitation(ctx, member.email);
}

/** The slug is another business's, most likely; a provider is nothing without its keys, which an export does not have. */
function withoutSecrets({ slug: _, configs, ...rest }: BusinessChange): BusinessChange {
  const { paymentProvider, ...others }: Configs = configs ?? {};
  const isWhole = paymentProvider?.type === 'SANDBOX';
  return { ...rest, configs: { ...others, ...(isWhole ? { paymentProvider: { type: 'SANDBOX' } } : {}) } };
}
