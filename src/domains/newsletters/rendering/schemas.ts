import Type from 'typebox';
import { EntryBlock, MAX_BLOCKS } from '../../../shared/blocks/index.ts';
import { BusinessId, Email, Id, Input, OneOf } from '../../../shared/schemas.ts';
import { NewsletterDesign } from '../../content/index.ts';
import { HINTS } from './hints.ts';

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
  design: Type.Optional({ ...NewsletterDesign, description: 'Replaces the design of the newsletter in the preview.' }),
});
export const MailHint = Type.Object({
  code: OneOf(HINTS, { examples: ['NO_ALT'] }),
  detail: Type.String({
    description: 'The value that the hint refers to, such as a host name or a number.',
    examples: ['2'],
  }),
});
export const Preview = Type.Object({
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
  hints: Type.Array(MailHint, { description: 'Possible problems with spam filters and readability.' }),
});
