import { DEFAULT_ROLES } from '../../src/domains/businesses/create-business.ts';
import { PERMISSIONS, type Permission } from '../../src/shared/security/caller.ts';
import { code, table } from './markdown.ts';
import { operations } from './openapi.ts';

const MEANING: Record<Permission, string> = {
  ADMIN: 'Everything, including the team, roles, single sign-on, publishable keys, webhooks, events and personal data',
  CATALOG_WRITE:
    'Create, edit and delete products, categories and redirects, adjust stock, and view drafts and archived products',
  ORDER_READ: 'View all orders, bank statements, sales statistics and reports',
  ORDER_WRITE: 'Create, edit, fulfill, cancel and refund orders, handle returns and record bank transfers',
  CONTENT_READ: 'View drafts, versions and unpublished entries',
  CONTENT_WRITE: 'Create, edit, publish and delete collections and entries',
  NEWSLETTER_SEND:
    'Send issues and test emails (which contain drafts and paid parts), manage automations, and view send reports',
  SUBSCRIBER_READ:
    'View subscribers, their consent and deliveries, segments, sign-up forms, suppressions and newsletter growth',
  SUBSCRIBER_WRITE: 'Add, edit and remove subscribers, segments, sign-up forms and suppressions',
  CUSTOMER_READ: 'View customers',
  CUSTOMER_WRITE: 'Create, edit and delete customers',
  PROMO_WRITE: 'View, create, edit and delete promo codes',
  MEDIA_WRITE: 'Upload, edit and delete media files',
  BUSINESS_WRITE: 'Edit business settings',
};

export function permissionsPage(): string {
  const rolesWith = (permission: Permission) =>
    DEFAULT_ROLES.filter(({ permissions }) => permissions.includes(permission) || permissions.includes('ADMIN'))
      .map(({ name }) => name)
      .join(', ');
  const rows = PERMISSIONS.map((permission) => [code(permission), MEANING[permission], rolesWith(permission)]);
  const guarded = PERMISSIONS.map((permission) => {
    const found = operations.filter((operation) => operation['x-access'] === permission);
    const list = found.map(({ method, path }) => `- ${code(`${method} ${path}`)}`).join('\n');
    return found.length > 0 ? `### ${permission}\n\n${list}` : '';
  }).filter(Boolean);
  return `# Permissions

A role is a set of permissions in one business. \`ADMIN\` includes all others. A new business has the roles
${new Intl.ListFormat('en-GB').format(DEFAULT_ROLES.map(({ name }) => code(name)))}. You can change them and add your own. Changes apply within a second.

${table(['Permission', 'Allows', 'Initial roles'], rows)}

## Operations by permission

Operations that accept any token are not listed. Some of them return more data or allow more actions if the caller has certain permissions.

${guarded.join('\n\n')}`;
}
