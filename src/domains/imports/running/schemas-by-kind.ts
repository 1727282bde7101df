/** The schemas of imported records. They are the same as for request bodies, with the same messages. */
import Type, { type TSchema } from 'typebox';
import { OneOf } from '../../../shared/schemas.ts';
import { BusinessChange, CustomerInput, MemberExport, SenderInput } from '../../businesses/index.ts';
import { CategoryInput, ProductChanges } from '../../catalog/index.ts';
import { CollectionInput, EntryInput } from '../../content/index.ts';
import { AutomationInput, SegmentInput, SignupFormInput, SuppressionInput } from '../../newsletters/index.ts';
import { DocumentExport, OrderCounter, OrderExport } from '../../orders/index.ts';
import { PromoInput } from '../../pricing/index.ts';
import { RedirectInput } from '../../redirects/index.ts';
import type { Body } from '../formats/format.ts';

/** As JSON, for the thread that checks them. */
export function schemasByKind(): string {
  const Product = Type.Object(
    { ...ProductChanges.properties, status: Type.Optional(OneOf(['DRAFT', 'ACTIVE', 'ARCHIVED'])) },
    { additionalProperties: false },
  );
  const schemas: Partial<Record<Body['kind'], TSchema>> = {
    product: Product,
    customer: CustomerInput,
    entry: EntryInput,
    collection: CollectionInput,
    category: CategoryInput,
    automation: AutomationInput,
    form: SignupFormInput,
    sender: SenderInput,
    redirect: RedirectInput,
    segment: SegmentInput,
    suppression: SuppressionInput,
    promoCode: PromoInput,
    business: BusinessChange,
    orders: OrderCounter,
    order: OrderExport,
    document: DocumentExport,
    pastOrder: OrderExport,
    member: MemberExport,
  };
  return JSON.stringify(schemas);
}
