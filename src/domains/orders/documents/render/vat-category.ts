/** The VAT categories of EN 16931. Pure. */
import { isEuMember } from '../../../../shared/addresses/index.ts';
import type { Snapshot, TaxShare } from '../snapshot-schemas.ts';
import { addShares } from '../tax-shares.ts';
import type { Texts } from './texts.ts';

/** S: taxed, AE: reverse charge, G: exported, Z: at 0% alongside other rates, E: the seller charges no VAT. */
type VatCategory = 'S' | 'AE' | 'G' | 'Z' | 'E';

export const sharesOf = ({ lines, shipping }: Snapshot): TaxShare[] =>
  addShares([...lines.map(({ share }) => share), ...shipping]);

export function categoryOf(bps: number, snapshot: Snapshot): VatCategory {
  if (snapshot.taxExempt) return 'AE';
  if (bps > 0) return 'S';
  if (isExported(snapshot)) return 'G';
  return sharesOf(snapshot).some((share) => share.bps > 0) ? 'Z' : 'E';
}

function isExported({ seller, buyer, shipTo }: Snapshot): boolean {
  const destination = (shipTo ?? buyer)?.country ?? '';
  const { country = '' } = seller.address;
  return seller.vatId !== undefined && isEuMember(country) && destination !== '' && !isEuMember(destination);
}

/** Why no VAT is charged. Null where the law requires no reason. */
export function exemptionOf(category: VatCategory, texts: Texts): { code: string | null; text: string } | null {
  if (category === 'AE') return { code: 'VATEX-EU-AE', text: texts.reverseCharge };
  if (category === 'G') return { code: 'VATEX-EU-G', text: texts.exported };
  return category === 'E' ? { code: null, text: texts.exempt } : null;
}
