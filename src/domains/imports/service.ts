import type { Snapshots } from '../../context/index.ts';
import type { createChecks } from './running/checks.ts';
import type { ParseJson } from './source/json.ts';

export type Imports = Readonly<{
  checks: ReturnType<typeof createChecks>;
  parseJson: ParseJson;
  snapshots: Snapshots;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly imports: Imports;
  }
}
