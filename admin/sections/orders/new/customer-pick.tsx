/** The customer of a new order. */
import { type Customer, createClient } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { Pick } from '../../../parts/form/pick.tsx';
import { Section } from '../../../parts/page.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** Null for a guest. Undefined until chosen. */
export type Who = Customer | null | undefined;

/** A customer with an account gets emails at the address of the account. */
export const needsEmail = (who: Who) => who !== undefined && !who?.userId;

/** An order belongs to an account. A customer without one gets a guest account, as in the shop. */
export async function customerIdOf(who: Customer | null): Promise<string> {
  if (who?.userId) return who.userId;
  const { userId } = await createClient({ baseUrl: '' }).users.login({ provider: 'GUEST' });
  return userId;
}

type PickProps = { who: Who; choose: (who: Who) => void; isMissing: boolean; children: ComponentChildren };

export function CustomerPick({ who, choose, isMissing, children }: PickProps) {
  return (
    <Section title={t('orders.customer')}>
      {who !== undefined && (
        <p>
          {who ? t('orders.pickChosen', { name: who.name || who.email || who.id }) : t('orders.pickGuestText')}{' '}
          <button type="button" class="link" onClick={() => choose(undefined)}>
            {t('orders.change')}
          </button>
        </p>
      )}
      {who === undefined && (
        <>
          <Pick<Customer>
            label={t('orders.pickCustomer')}
            find={async (query, signal) => (await souk.customers.list({ query, limit: 8 }, { signal }).page()).items}
            show={({ id, name, email }) => ({ id, text: name || email || id, detail: name ? (email ?? '') : '' })}
            choose={choose}
            problem={isMissing ? t('orders.needsCustomer') : undefined}
          />
          <button type="button" class="quiet" onClick={() => choose(null)}>
            {t('orders.pickGuest')}
          </button>
        </>
      )}
      {children}
    </Section>
  );
}
