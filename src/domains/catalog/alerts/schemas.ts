import Type, { type Static } from 'typebox';
import { ChosenId, Email, Input } from '../../../shared/schemas.ts';
import { Locale } from '../../../shared/text/locales.ts';

export const StockAlertInput = Input({
  email: Email,
  variantId: ChosenId,
  locale: Type.Optional(
    Type.String({ ...Locale, description: 'The language of the email. Defaults to the language of the request.' }),
  ),
});
export type StockAlertInput = Static<typeof StockAlertInput>;
