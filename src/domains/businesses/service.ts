import type { Steps } from '../../context/index.ts';
import type { Cache } from '../../db/broadcast.ts';
import type { Db } from '../../db/sql.ts';
import type { Caller } from '../../shared/security/caller.ts';
import type { StepUps } from '../../shared/security/step-ups.ts';
import type { Command } from './context.ts';
import type { MailPreviews } from './mail-templates/preview.ts';
import type { TemplateRow } from './mail-templates/queries.ts';
import type { BusinessRow } from './queries.ts';
import type { Senders } from './senders/senders.ts';
import type { Hosts } from './storefront/hosts.ts';
import type { ProviderSecrets, Vault } from './vault.ts';

/** Steps that higher-level domains contribute to the deletion of a business. */
export type DeletionSteps = Readonly<{
  /** Deletes the files of the business from storage. */
  deleteFiles(businessId: string, signal: AbortSignal): Promise<void>;
  /** Cancels subscriptions with the payment provider. Returns the tables that are still needed to finish. */
  endPayments(ctx: Steps, businessId: string, secrets: ProviderSecrets): Promise<readonly string[]>;
}>;

/** What the domain of accounts does for businesses. */
export type AccountSteps = Readonly<{
  /** The email addresses of the admins. */
  listAdmins: ListAdmins;
  /** Reads the caller again. Null if the session or key has ended. */
  readCaller(
    db: Db,
    caller: Pick<Caller, 'userId' | 'sessionId' | 'keyId'>,
    nowSeconds: number,
  ): Promise<Caller | null>;
  /** API keys don't work in the business until their owners confirm them. */
  unconfirmKeys(ctx: Command, businessId: string): Promise<void>;
}>;

type ListAdmins = (db: Db, businessId: string) => Promise<string[]>;

export type Businesses = DeletionSteps &
  AccountSteps &
  Readonly<{
    cache: Cache<BusinessRow>;
    bySlug: Cache<BusinessRow>;
    /** Email templates by business. */
    mailTexts: Cache<{ businessId: string; rows: readonly TemplateRow[] }>;
    previews: MailPreviews;
    /** Members who have used one of their roles. */
    roleUses: Cache<{ userId: string }>;
    vault: Vault;
    stepUps: StepUps;
    /** The host names of storefronts. */
    hosts: Hosts;
    /** Sender addresses of businesses. */
    senders: Senders;
  }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly businesses: Businesses;
  }
}
