import type { PersonalDataHolder } from '../../context/personal-data.ts';
import type { Subject } from './subject.ts';

/** All holders of personal data. */
export type Holders = Readonly<
  Record<
    | 'customers'
    | 'orders'
    | 'vatChecks'
    | 'carts'
    | 'automations'
    | 'subscriptions'
    | 'deliveries'
    | 'suppressions'
    | 'stockAlerts',
    PersonalDataHolder
  >
>;

export type Privacy = Readonly<{
  /** In execution order. */
  holders: readonly PersonalDataHolder[];
  seal(erasureId: string, subject: Subject): string;
  open(erasureId: string, sealed: string): Subject;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly privacy: Privacy;
  }
}
