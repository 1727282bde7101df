import type { DueKind, PublishableKind } from './kinds.ts';
import type { createPreviewTokens } from './preview.ts';

/** The publishable kinds of record. */
export type RecordKinds = Readonly<Record<'product' | 'collection' | 'entry', PublishableKind>>;

export type Publishing = Readonly<{
  previewTokens: ReturnType<typeof createPreviewTokens>;
  recordKind(name: string): PublishableKind;
  recordKinds(): PublishableKind[];
  dueKind(name: string): DueKind;
  /** The kinds of these entities, such as `entry:ent_…`. */
  kindsIn(names: readonly string[]): PublishableKind[];
  /** Null if the ID doesn't belong to a publishable record. */
  kindOfId(id: string): string | null;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly publishing: Publishing;
  }
}
