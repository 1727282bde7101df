import { notFound } from '../../shared/errors.ts';
import { createSigner } from '../../shared/signing.ts';
import { businessExists } from '../businesses/index.ts';
import type { Query, Steps } from './context.ts';
import type { PreviewLink } from './schemas.ts';
import type { VersionedEntity } from './version-queries.ts';

const PREVIEW_SECONDS = 3600;

type Preview = { businessId: string; kind: string; id: string; expiresAt: number };

/** What the address of a preview carries, signed with a key of its own: no other token passes for one. */
export function createPreviewTokens(key: Buffer) {
  const signer = createSigner(key);
  return {
    token({ businessId, kind, id, expiresAt }: Preview): string {
      const payload = Buffer.from(JSON.stringify([businessId, kind, id, expiresAt])).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Null when it is not one of ours. It may have expired. */
    read(text: string): Preview | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [businessId, kind, id, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return { businessId, kind, id, expiresAt };
    },
  };
}

/** An address that shows the draft to whoever has it, for an hour or until the record is deleted. The caller has seen the draft. */
export function linkPreview(ctx: Query, entity: VersionedEntity): PreviewLink {
  const [kind, id] = entity.split(':', 2) as [string, string];
  const expiresAt = ctx.now + PREVIEW_SECONDS;
  const token = ctx.publishing.previewTokens.token({ businessId: ctx.businessId, kind, id, expiresAt });
  return { url: `${ctx.publicUrl()}/v1/previews/${token}`, expiresAt };
}

/** As JSON. Forged, expired and of a record that is gone: all the same 404. */
export async function readPreview(ctx: Steps, token: string): Promise<Buffer> {
  const preview = ctx.publishing.previewTokens.read(token);
  if (!preview || preview.expiresAt <= ctx.now || !(await businessExists(ctx, preview.businessId))) {
    throw notFound('Preview');
  }
  const kind = ctx.publishing.recordKind(preview.kind);
  const json = await kind.preview?.(ctx.within(preview.businessId), preview.id);
  if (!json) throw notFound('Preview');
  return Buffer.from(json);
}
