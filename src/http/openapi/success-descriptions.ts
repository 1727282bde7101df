/** Prefixes and suffixes of schema variants. They mean nothing to readers of the API. */
const VARIANT = /^(?:Listed|Seen|New)|(?:Detail|Started)$/g;

/** Words for schemas and operations whose names don't read well. */
const WORDS: Record<string, string> = {
  AutomationCounts: 'number of people at each step',
  CustomerSpends: 'amounts by currency',
  FactorAdded: 'recovery codes, if this is the first factor',
  Factors: 'second factors',
  MailPreview: 'email preview',
  MailTemplate: 'email template',
  MailTemplateList: 'email templates',
  Media: 'media files',
  MediaItem: 'media file',
  OrderStaff: 'members who can handle orders',
  OrderTagList: 'order tags',
  OwnSubscriptions: 'your subscriptions',
  SegmentChoices: 'tags and fields',
  SegmentCount: 'number of matching people',
  SegmentPeople: 'people',
  AutomationPeople: 'people',
  SendStats: 'send statistics',
  SignupForm: 'sign-up form',
  Sso: 'single sign-on settings',
  StepUp: 'step-up token',
  Stats: 'sales statistics',
  TotpSetup: 'authenticator app secret',
};

/**
 * Describes a successful response by its schema and its operation: "The product", "A page of orders". Undefined for an unnamed
 * schema, which needs its own description.
 */
export function describeSuccess(operationId: string, schemaName: string | undefined): string | undefined {
  if (schemaName === undefined) return undefined;
  if (schemaName === 'Success') return 'Success';
  const item = schemaName.replace(/Page$/, '');
  if (item === schemaName) return `The ${wordsOf(item.replaceAll(VARIANT, ''))}`;
  const listed = /^(?:list|search)(.*(?:s|Media|People))$/.exec(operationId)?.[1] ?? `${item.replace(/y$/, 'ie')}s`;
  return `A page of ${wordsOf(listed)}`;
}

const wordsOf = (name: string) =>
  WORDS[name] ??
  name
    .split(/(?=[A-Z])/)
    .join(' ')
    .toLowerCase()
    .replaceAll(/\b(?:scim|sso|totp|url|vat)\b/g, (acronym) => acronym.toUpperCase());
