import type { Sso } from '@souk/client';

export type SsoValues = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: string[];
  roleClaim: string;
  roleMappings: Sso['roleMappings'];
  defaultRoleId: string;
  enforced: boolean;
};
