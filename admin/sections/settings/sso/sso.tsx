/** Single sign-on of the business: the identity provider, its domains, the roles it grants, and SCIM. */
import { isSoukError, type Sso, type SsoInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { CheckField, optional, TagsField, TextField } from '../../../parts/form/form.tsx';
import { ReadOnlyField } from '../../../parts/form/read-only-field.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { Domains } from './domains.tsx';
import { RoleMappings } from './role-mappings.tsx';
import { Scim } from './scim.tsx';
import type { SsoValues } from './values.ts';

const NEW: SsoValues = {
  issuer: '',
  clientId: '',
  clientSecret: '',
  domains: [],
  roleClaim: 'groups',
  roleMappings: [],
  defaultRoleId: '',
  enforced: false,
};

const toVersion = (found: Sso & { etag?: string }) => ({
  values: {
    issuer: found.issuer,
    clientId: found.clientId,
    clientSecret: found.clientSecret ?? '',
    domains: found.domains.map(({ domain }) => domain),
    roleClaim: found.roleClaim,
    roleMappings: found.roleMappings,
    defaultRoleId: found.defaultRoleId ?? '',
    enforced: found.enforced,
  },
  etag: found.etag,
});

function toInput({ clientSecret, defaultRoleId, ...changes }: Partial<SsoValues>): SsoInput {
  return {
    ...changes,
    ...(clientSecret === undefined ? {} : { clientSecret: clientSecret || null }),
    ...(defaultRoleId === undefined ? {} : { defaultRoleId: defaultRoleId || null }),
  };
}

export default function Page() {
  const [saved, setSaved] = useState<Sso | null>(null);
  const record = useRecord<SsoValues>({
    key: `sso ${business.value?.id}`,
    load: async (signal) => {
      try {
        const found = await souk.singleSignOn.getSso({ signal });
        setSaved(found);
        return toVersion(found);
      } catch (error) {
        if (!isSoukError(error, 'NOT_FOUND')) throw error;
        setSaved(null);
        return { values: NEW, etag: undefined };
      }
    },
    save: async (changes, { ifMatch, values }) => {
      const body = toInput(saved ? changes : values);
      const found = await souk.singleSignOn.saveSso(body, ifMatch ? { ifMatch } : {});
      setSaved(found);
      return toVersion(found);
    },
  });
  const names = {
    issuer: t('sso.issuer'),
    clientId: t('sso.clientId'),
    clientSecret: t('sso.clientSecret'),
    domains: t('sso.domainsField'),
    roleClaim: t('sso.roleClaim'),
    roleMappings: t('sso.roles'),
    defaultRoleId: t('sso.defaultRole'),
    enforced: t('sso.enforce'),
  };
  return (
    <PartForm path="sso" record={record} names={names}>
      {() => (
        <>
          <Section title={t('sso.provider')}>
            <p class="quiet">{t('sso.intro')}</p>
            <TextField label={names.issuer} hint={t('sso.issuerHint')} type="url" {...record.bind('issuer')} />
            <div class="fields">
              <TextField label={names.clientId} {...record.bind('clientId')} />
              <TextField label={optional(names.clientSecret)} {...record.bind('clientSecret')} />
            </div>
            {saved && (
              <ReadOnlyField label={t('sso.redirectUrl')} value={saved.redirectUrl} hint={t('sso.redirectHint')} />
            )}
          </Section>
          <Section title={t('sso.domains')}>
            <p class="quiet">{t('sso.domainsText')}</p>
            <TagsField
              label={names.domains}
              hint={t('sso.domainsHint')}
              {...record.bind('domains')}
              problem={record.problem('domains') ?? record.problem('domains[0]')}
            />
            {saved && <Domains domains={saved.domains} verified={setSaved} />}
          </Section>
          <RoleMappings record={record} />
          <Section title={t('sso.enforce')}>
            <CheckField label={names.enforced} hint={t('sso.enforceHint')} {...record.bind('enforced')} />
          </Section>
          {saved && <Scim scim={saved.scim} />}
          {saved && <Remove />}
        </>
      )}
    </PartForm>
  );
}

function Remove() {
  const [isOpen, setOpen] = useState(false);
  const { run, error } = useAction(async () => {
    await souk.singleSignOn.deleteSso();
    toast(t('sso.removed'));
    forget('sso ');
    location.reload();
  });
  return (
    <Section title={t('sso.remove')}>
      <p class="quiet">{t('sso.removeText')}</p>
      <Problem error={error} />
      <div>
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          {t('sso.remove')}
        </button>
      </div>
      {isOpen && (
        <Confirm
          title={t('sso.remove')}
          text={t('sso.removeText')}
          action={t('parts.remove')}
          run={run}
          close={() => setOpen(false)}
        />
      )}
    </Section>
  );
}
