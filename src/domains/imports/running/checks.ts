/** The schemas of imported records. They are the same as for request bodies, with the same messages. */
import Type, { type TSchema } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';
import { OneOf } from '../../../shared/schemas.ts';
import { BusinessChange, CustomerInput, MemberExport, SenderInput } from '../../businesses/index.ts';
import { CategoryInput, ProductChanges } from '../../catalog/index.ts';
import { CollectionInput, EntryInput } from '../../content/index.ts';
import { AutomationInput, SegmentInput, SignupFormInput, SuppressionInput } from '../../newsletters/index.ts';
import { DocumentExport, OrderCounter, OrderExport } from '../../orders/index.ts';
import { PromoInput } from '../../pricing/index.ts';
import { RedirectInput } from '../../redirects/index.ts';
import type { Body } from '../formats/format.ts';

export type Check = (value: unknown) => FieldError[] | null;
export type CompileCheck = (schema: TSchema) => Check;

export function createChecks(compile: CompileCheck): Partial<Record<Body['kind'], Check>> {
  const Product = Type.Object(
    { ...ProductChanges.properties, status: Type.Optional(OneOf(['DRAFT', 'ACTIVE', 'ARCHIVED'])) },
    { additionalProperties: false },
  );
  return {
    product: compile(Product),
    customer: compile(CustomerInput),
    entry: compile(EntryInput),
    collection: compile(CollectionInput),
    category: compile(CategoryInput),
    automation: compile(AutomationInput),
    form: compile(SignupFormInput),
    sender: compile(SenderInput),
    redirect: compile(RedirectInput),
    segment: compile(SegmentInput),
    suppression: compile(SuppressionInput),
    promoCode: compile(PromoInput),
    business: compile(BusinessChange),
    orders: compile(OrderCounter),
    order: compile(OrderExport),
    document: compile(DocumentExport),
    pastOrder: compile(OrderExport),
    member: compile(MemberExport),
  };
}
