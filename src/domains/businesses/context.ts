import type { Deps } from '../../deps.ts';
import type { Vault } from './configs.ts';

/** What the use cases of this domain work with. */
export type BusinessContext = Pick<Deps, 'broadcast' | 'clock' | 'jobs'> & { vault: Vault };

/** What is published when a business changes. */
export const businessSubject = (businessId: string) => `business:${businessId}`;
