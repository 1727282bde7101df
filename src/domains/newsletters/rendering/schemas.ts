import Type from 'typebox';
import { EntryBlock, MAX_BLOCKS } from '../../../shared/blocks/index.ts';
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

export const PreviewInput = Input({
  blocks: Type.Optional(
    Type.Array(EntryBlock, { maxItems: MAX_BLOCKS, description: 'Replaces the stored blocks in the preview.' }),
  ),
});
export const Preview = Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() });
