import type { Command, Steps } from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { Permission } from '../../shared/caller.ts';
import type { ServiceError } from '../../shared/errors.ts';

/** What happens at its time: a record with a status that waits, or a release. */
export type DueKind = {
  /** Does what is due, or raises why that cannot be. */
  publishDue(ctx: Command, id: string): Promise<void>;
  /** Notes that it was refused for good. */
  refuseDue(ctx: Command, id: string, error: ServiceError): Promise<void>;
};

/** Records that are published: the domain that owns them registers how. */
export type RecordKind = DueKind & {
  /** Who may publish them. */
  permission: Permission;
  /** What their ids begin with: `ent_`. */
  prefix: string;
  existing(db: Db, businessId: string, ids: readonly string[]): Promise<string[]>;
  /** Makes the record public, with its draft where there is one. Raises why that cannot be. */
  publish(ctx: Command, id: string): Promise<void>;
  /** The draft, or else the record, as JSON that everybody may see. Null: it is gone. */
  preview?(ctx: Steps, id: string): Promise<string | null>;
};
