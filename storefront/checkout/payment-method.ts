import { computed } from '@preact/signals';
import { marketId, markets } from '../shop.ts';
import { typed } from './typed.ts';

export const acceptsTransfer = computed(() =>
  markets.value.some(
    ({ id, paymentMethods = [] }) =>
      id === marketId.value && paymentMethods.some(({ method }) => method === 'BANK_TRANSFER'),
  ),
);

/** Another market may not accept the chosen method. */
export const paymentMethod = computed(() =>
  typed.value.paymentMethod === 'BANK_TRANSFER' && !acceptsTransfer.value ? 'CREDIT_CARD' : typed.value.paymentMethod,
);
