import type { ApiToken } from '@souk/client';
import { businesses } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** The name of a business, or the ID if the user can't open it in this session. */
export const nameOf = (id: string) => businesses.value.find((each) => each.id === id)?.name ?? id;

/** One line for the scopes of a key, one for its networks. */
export const KeyLimits = ({ apiKey: { scopes, networks } }: { apiKey: ApiToken }) => (
  <>
    <p class="small quiet">
      {scopes
        ? `${scopes.businesses.map(nameOf).join(', ')}: ${scopes.permissions.map((each) => t(`settings.can_${each}`)).join(', ')}`
        : t('parts.keyUnlimited')}
    </p>
    {networks && <p class="small quiet">{t('parts.keyOnlyFrom', { networks: networks.join(', ') })}</p>}
  </>
);
