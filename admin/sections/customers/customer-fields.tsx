import type { PartialAddress } from '@souk/client';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { AddressFields } from '../../parts/form/address.tsx';
import { CollapsibleList } from '../../parts/form/collapsible-list.tsx';
import { CheckField, optional, TagsField, TextField } from '../../parts/form/form.tsx';
import { ListEditor } from '../../parts/form/list-editor.tsx';
import { DateField } from '../../parts/form/number-fields.tsx';
import { Section } from '../../parts/page.tsx';
import { problemWithin } from '../../parts/problem.tsx';
import { t } from '../../text/index.ts';
import type { CustomerValues } from './customer-values.ts';

export const fieldNames = () => ({
  name: t('customers.name'),
  email: t('customers.email'),
  phone: t('customers.phone'),
  tags: t('customers.tags'),
  note: t('customers.note'),
  addresses: t('customers.addresses'),
  shippingAddress: t('addresses.shipping'),
  billingAddress: t('addresses.billing'),
  consent: t('customers.consent'),
});

export function CustomerFields({ record }: { record: FormRecord<CustomerValues> }) {
  const { addresses, consent } = record.values!;
  return (
    <>
      <Section title={t('customers.person')}>
        <TextField label={t('customers.name')} {...record.bind('name')} maxLength={200} />
        <div class="fields">
          <TextField label={t('customers.email')} type="email" {...record.bind('email')} />
          <TextField label={optional(t('customers.phone'))} type="tel" {...record.bind('phone')} />
        </div>
        <TagsField label={t('customers.tags')} hint={t('customers.tagsHint')} {...record.bind('tags')} />
        <TextField
          label={t('customers.note')}
          hint={t('customers.noteHint')}
          multiline
          rows={3}
          {...record.bind('note')}
        />
      </Section>
      <Section title={t('addresses.defaults')}>
        <p class="quiet">{t('addresses.defaultsText')}</p>
        <DefaultAddress record={record} name="shippingAddress" />
        <DefaultAddress record={record} name="billingAddress" />
      </Section>
      <Section title={t('customers.addresses')}>
        <ListEditor
          items={addresses}
          onInput={(next) => record.set('addresses', next)}
          name={(_, i) => t('customers.address', { number: i + 1 })}
          add={{ label: t('customers.addAddress'), make: () => ({}) }}
          empty={t('customers.noAddresses')}
        >
          {(address, set, i) => (
            <AddressFields
              isPerson
              value={address}
              onInput={set}
              problem={(part) => record.problem(`addresses[${i}].${part}`)}
            />
          )}
        </ListEditor>
      </Section>
      <Section title={t('customers.consent')}>
        <CheckField
          label={t('customers.hasConsent')}
          hint={t('customers.consentHint')}
          value={consent !== null}
          onInput={(has) => record.set('consent', has ? { source: '', at: Math.floor(Date.now() / 1000) } : null)}
        />
        {consent && (
          <div class="fields">
            <TextField
              label={t('customers.consentSource')}
              value={consent.source}
              onInput={(source) => record.set('consent', { ...consent, source })}
              problem={record.problem('consent.source')}
            />
            <DateField
              label={t('customers.consentAt')}
              value={consent.at}
              onInput={(at) => at !== null && record.set('consent', { ...consent, at })}
              problem={record.problem('consent.at')}
            />
          </div>
        )}
      </Section>
    </>
  );
}

type DefaultProps = { record: FormRecord<CustomerValues>; name: 'shippingAddress' | 'billingAddress' };

function DefaultAddress({ record, name }: DefaultProps) {
  const address = record.values![name];
  const label = fieldNames()[name];
  return (
    <CollapsibleList<PartialAddress>
      label={label}
      items={address ? [address] : []}
      max={1}
      onInput={([next = null]) => record.set(name, next)}
      name={() => label}
      summary={({ name: person, street, city }) => [person, street, city].filter(Boolean).join(', ')}
      hasProblem={() => problemWithin(record.error, name) !== undefined}
      add={{
        label: t(name === 'shippingAddress' ? 'addresses.addShipping' : 'addresses.addBilling'),
        make: () => ({}),
      }}
    >
      {(value, set) => (
        <AddressFields isPerson value={value} onInput={set} problem={(part) => record.problem(`${name}.${part}`)} />
      )}
    </CollapsibleList>
  );
}
