import type { Snapshots } from '../../context/index.ts';
import type { createConverter } from '../../shared/threads/index.ts';
import type { Batch, DetectedFile, Request } from './conversion/convert.ts';

export type Imports = Readonly<{
  converter: ReturnType<typeof createConverter<Request, Batch | DetectedFile>>;
  /** By kind of record, as JSON. */
  schemas: string;
  snapshots: Snapshots;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly imports: Imports;
  }
}
