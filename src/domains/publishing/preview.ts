import { notFound } from '../../shared/errors.ts';
import type { SerializedJson } from '../../shared/records/serializer.ts';
import { createSigner } from '../../shared/security/signing.ts';
import { businessExists, getBusiness, siteUrl } from '../businesses/index.ts';
import type { Query } from './context.ts';
import type { PreviewAudience, RecordKind } from './kinds.ts';
import type { PreviewLink } from './schemas.ts';
import { findDraftOf, getForStaff } from './stored-record.ts';

const PREVIEW_SECONDS = 3600;

type Preview = { businessId: string; kind: string; id: string; expiresAt: number; audience: PreviewAudience };

/** Preview tokens have their own signing key, so that no other token is valid as a preview token. */
export function createPreviewTokens(key: Buffer) {
  const signer = createSigner(key);
  return {
    token({ businessId, kind, id, expiresAt, audience }: Preview): string {
      const payload = Buffer.from(JSON.stringify([businessId, kind, id, expiresAt, audience])).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Null if not issued by this service. The token may have expired. */
    read(text: string): Preview | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [businessId, kind, id, expiresAt, audience] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return { businessId, kind, id, expiresAt, audience };
    },
  };
}

/**
 * A URL that shows the draft to anyone for an hour, unless the record is deleted earlier. By default, it shows what the public will
 * see; for a reader, it also shows the part that only subscribers can read.
 */
export async function linkPreview(
  ctx: Query,
  { kind, id, audience = 'public' }: { kind: RecordKind; id: string; audience?: PreviewAudience },
): Promise<PreviewLink> {
  const { record } = await getForStaff(ctx, kind, id);
  const expiresAt = ctx.now + PREVIEW_SECONDS;
  const { previewTokens } = ctx.publishing;
  const token = previewTokens.token({
    businessId: ctx.businessId,
    kind: kind.name,
    id: record.id,
    expiresAt,
    audience,
  });
  const site = siteUrl(ctx, await getBusiness(ctx, ctx.businessId));
  return { url: `${ctx.publicUrl()}/v1/previews/${token}`, siteUrl: `${site}?preview=${token}`, expiresAt };
}

type OpenedPreview = { businessId: string; kind: RecordKind['name']; json: SerializedJson };

/** The draft, or the record itself, as public JSON. Throws 404 for forged and expired tokens and deleted records. */
export async function openPreview(ctx: Query, token: string): Promise<OpenedPreview> {
  const preview = ctx.publishing.previewTokens.read(token);
  if (!preview || preview.expiresAt <= ctx.now || !(await businessExists(ctx, preview.businessId))) {
    throw notFound('Preview');
  }
  const kind = ctx.publishing.recordKind(preview.kind);
  if (!kind.hasVersions) throw notFound('Preview');
  const stored = await kind.find(ctx.within(preview.businessId), preview.id);
  if (!stored) throw notFound('Preview');
  const { record } = (await findDraftOf(ctx.db, kind, stored.record)) ?? stored;
  const json = kind.publicResponse(record, ctx.publicUrl(), preview.audience);
  return { businessId: preview.businessId, kind: kind.name, json };
}
