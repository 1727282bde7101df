import type { Media } from '../../shared/schemas.ts';
import type { Command } from './context.ts';
import { refreshProductMedia } from './refresh-media.ts';
import { saveMedia } from './write-product.ts';

/** A picture that the product knew by its address lies in the library now. */
export async function setPicture(
  ctx: Command,
  { id, from, to }: { id: string; from: string; to: Media },
): Promise<void> {
  const product = await refreshProductMedia(ctx, { id, mediaId: from, current: async () => to });
  if (product) await saveMedia(ctx, product);
}
