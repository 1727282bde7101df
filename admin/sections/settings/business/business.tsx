/** The name of the business and its invoice details. */
import type { PartialAddress } from '@souk/client';
import { AddressFields, filledAddress } from '../../../parts/form/address.tsx';
import { optional, TextField } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { DeleteBusiness } from './delete-business.tsx';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = {
  name: string;
  slug: string;
  legalName: string;
  address: PartialAddress;
  taxId: string;
  timeZone: string;
};

const TIME_ZONES = Intl.supportedValuesOf('timeZone');
const PROFILE = ['legalName', 'address', 'taxId', 'timeZone'] as const;

export default function Page() {
  const record = useBusiness<Values>({
    name: 'profile',
    read: ({ name, slug, configs: { profile = {} } }) => {
      const { legalName = '', address = {}, taxId = '', timeZone = '' } = profile;
      return { name, slug, legalName, address, taxId, timeZone };
    },
    write: (values, { name, slug, ...changes }) => {
      const { legalName, taxId, timeZone } = values;
      const texts = Object.entries({ legalName, taxId, timeZone }).filter(([, text]) => text.trim());
      const profile = { ...Object.fromEntries(texts), address: filledAddress(values.address) };
      return {
        ...(name === undefined ? {} : { name }),
        ...(slug === undefined ? {} : { slug }),
        ...(PROFILE.some((each) => each in changes) ? { configs: { profile } } : {}),
      };
    },
  });
  const at = (field: string) => `configs.profile.${field}`;
  const names = {
    name: t('settings.name'),
    slug: t('settings.slug'),
    legalName: t('settings.legalName'),
    address: t('settings.address'),
    taxId: t('settings.taxId'),
    timeZone: t('settings.timeZone'),
  };
  return (
    <PartForm path="" record={record} names={names}>
      {({ address }) => (
        <>
          <Section title={t('settings.business')}>
            <div class="fields">
              <TextField label={names.name} {...record.bind('name')} maxLength={200} />
              <TextField label={names.slug} hint={t('settings.slugHint')} {...record.bind('slug')} />
            </div>
          </Section>
          <Section title={t('settings.invoices')}>
            <p class="quiet">{t('settings.invoicesText')}</p>
            <div class="fields">
              <TextField label={names.legalName} {...record.bind('legalName', at('legalName'))} />
              <TextField label={names.taxId} {...record.bind('taxId', at('taxId'))} maxLength={50} />
            </div>
            <AddressFields
              value={address}
              onInput={(next) => record.set('address', next)}
              problem={(part) => record.problem(at(`address.${part}`))}
            />
            <TextField
              label={optional(names.timeZone)}
              hint={t('settings.timeZoneHint')}
              list={TIME_ZONES}
              {...record.bind('timeZone', at('timeZone'))}
            />
          </Section>
          <DeleteBusiness etag={record.etag} />
        </>
      )}
    </PartForm>
  );
}
