import Type, { type Static } from 'typebox';
import { BusinessId, Id, Timestamp } from '../../../shared/schemas.ts';

export const SupportSession = Type.Object({
  id: Id,
  businessId: BusinessId,
  userId: { ...Id, description: 'The customer.' },
  supportBy: { ...Id, description: 'The ADMIN who is viewing the storefront as the customer.' },
  accessToken: Type.String({ description: 'Read-only and limited to this business.' }),
  expiresAt: Timestamp,
});
export type SupportSession = Static<typeof SupportSession>;
