/** Imports the small parts of a whole business: settings, roles, members, collections, categories, redirects and the like. */

import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { emailKey } from '../../../shared/text/email.ts';
import {
  type BusinessChange,
  consumeInvitationLimit,
  importRole,
  importSender,
  importTemplate,
  inviteMember,
  type MemberExport,
  prepareSender,
  prepareTemplate,
  saveBusiness,
  type TemplateExport,
} from '../../businesses/index.ts';
import { importCategory } from '../../catalog/index.ts';
import { addCollection, existingCollections } from '../../content/index.ts';
import {
  importAutomation,
  importForm,
  importSegment,
  importSuppression,
  type SegmentInput,
  type SignupFormInput,
  type SuppressionInput,
} from '../../newsletters/index.ts';
import { raiseOrderNumber } from '../../orders/index.ts';
import { addPromo } from '../../pricing/index.ts';
import { importRedirect, type RedirectInput } from '../../redirects/index.ts';
import type { Command, Steps } from '../context.ts';
import type { PartImport } from '../formats/format.ts';

type Saved = { result: 'CREATED' | 'UPDATED' | 'UNCHANGED'; id: string } | { errors: FieldError[] };

export async function importPart(ctx: Command, kind: string, part: PartImport): Promise<Saved> {
  const { previous, input: data, texts } = part;
  try {
    switch (kind) {
      case 'business':
        await saveBusiness(ctx, { change: withoutSecrets(data as BusinessChange), ...(texts ? { texts } : {}) });
        return { result: 'UPDATED', id: ctx.businessId };
      case 'orders':
        await raiseOrderNumber(ctx.db, ctx.businessId, (data as { lastNumber: number }).lastNumber);
        return { result: 'UPDATED', id: ctx.businessId };
      case 'member':
        if (isCaller(ctx, data as MemberExport)) return { result: 'UNCHANGED', id: ctx.caller.userId };
        return { result: 'CREATED', id: (await inviteMember(ctx, data as MemberExport)).id };
      case 'role':
        return {
          result: await importRole(ctx, { ...previous, ...(data as { name: string; permissions: string[] }) }),
          id: previous.id ?? '',
        };
      case 'mailTemplate':
        return { result: await importTemplate(ctx, data as TemplateExport), id: '' };
      case 'collection': {
        const [exists] = await existingCollections(ctx.db, ctx.businessId, [previous.id ?? ''], false);
        if (exists) return { result: 'UNCHANGED', id: exists };
        return { result: 'CREATED', id: (await addCollection(ctx, { input: data as never, kept: previous })).id };
      }
      case 'category':
        return await importCategory(ctx, { input: data as never, kept: previous, ...(texts ? { texts } : {}) });
      case 'automation':
        return await importAutomation(ctx, { input: data as never, kept: previous });
      case 'form':
        return await importForm(ctx, { input: data as SignupFormInput, kept: previous });
      case 'sender':
        return { result: await importSender(ctx, data as never), id: ctx.businessId };
      case 'redirect':
        return await importRedirect(ctx, { ...(data as RedirectInput), id: previous.id });
      case 'segment':
        return await importSegment(ctx, { input: data as SegmentInput, kept: previous });
      case 'suppression':
        return await importSuppression(ctx, { input: data as SuppressionInput, kept: previous });
      default:
        return { result: 'CREATED', id: (await addPromo(ctx, { input: data as never, kept: previous })).id };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.details.length === 0) throw error;
    return { errors: error.details };
  }
}

/** The importing user is already a member. */
const isCaller = ({ caller }: Pick<Command, 'caller'>, { email }: MemberExport) =>
  caller.email !== null && emailKey(caller.email) === emailKey(email);

/** Runs outside the transaction that writes the invitation. */
export async function prepareInvitation(ctx: Steps, { input }: PartImport): Promise<void> {
  const member = input as MemberExport;
  if (!isCaller(ctx, member)) await consumeInvitationLimit(ctx, member.email);
}

/**
 * Drops the slug, which another business probably uses, and providers, which don't work without the secrets an export
 * omits.
 */
function withoutSecrets({ slug: _, configs, ...rest }: BusinessChange): BusinessChange {
  const { paymentProvider, ...others } = configs ?? {};
  const isWhole = paymentProvider?.type === 'SANDBOX';
  return { ...rest, configs: { ...others, ...(isWhole ? { paymentProvider: { type: 'SANDBOX' } } : {}) } };
}

/** Sanitizing can be slow, so it runs outside the transaction. */
export async function prepareMailTemplate({ businessId }: Steps, data: PartImport): Promise<void> {
  data.input = await prepareTemplate(businessId, data.input as TemplateExport);
}

/** Creating a key takes CPU time, so it runs outside the transaction. */
export async function prepareOwnSender(ctx: Steps, data: PartImport): Promise<void> {
  data.input = await prepareSender(ctx, data.input as { address: string });
}
