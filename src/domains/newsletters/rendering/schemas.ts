import Type from 'typebox';
import { BusinessId, Email, Id, Input } from '../../../shared/schemas.ts';

export const EntryParams = Type.Object({ businessId: BusinessId, entryId: Id });

export const TestInput = Input({ email: Email });

export const Variables = Type.Object({
  variables: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['subscriber.name'] }),
      description: Type.String(),
      example: Type.String({ examples: ['Ada'] }),
    }),
  ),
});
