import type { Carriers } from '../../providers/shipping/port.ts';
import type { TaxProvider } from '../../providers/tax/port.ts';
import type { VatIds } from '../../providers/vies/port.ts';

export type Pricing = Readonly<{ carriers: Carriers; taxProvider: TaxProvider; vatIds: VatIds }>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly pricing: Pricing;
  }
}
