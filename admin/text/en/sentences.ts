/** English messages for merchants, in place of messages from the API that name codes, fields or parameters. */
export const sentences: Readonly<Record<string, string>> = {
  // Permissions
  'This requires the {permission} permission in {where}.': 'You need the {permission} permission.',
  'The user who started this import no longer has the {permission} permission.':
    'The person who started this import no longer has the {permission} permission.',
  // Fields
  'planIds is required if access is PLANS.': 'Choose at least one plan.',
  '{field} is required.': 'Fill in this field.',
  '{field} is required for STRIPE.': 'Fill in this field.',
  '{field} has an invalid format. Use a value such as {example}.': 'Use a format such as {example}.',
  '{field} has an invalid format.': 'Check the format of this value.',
  '{field} must be of type integer.': 'Enter a whole number.',
  '{field} must be of type number.': 'Enter a number.',
  '{field} must be of type {type}.': 'Check this value.',
  '{field} must be {limit} (minor units, such as cents).': 'This amount is too low or too high.',
  '{field} must be {limit} (basis points; 100 = 1%).': '{field} must be {limit}.',
  '{field} must be {limit} (Unix time in seconds).': 'Check the date and time.',
  // Orders
  "A withdrawal within the withdrawal period can't be rejected.":
    "A withdrawal within the withdrawal period can't be declined.",
  'This return is {status}. Only a return that is {from} can be set to {next}.':
    'The status of this return has changed. Reload the page.',
  // Media and content
  'This file is in use. Remove it from the listed records first, or set force=true.':
    'This file is in use. Remove it from the records that use it first.',
  "This release is {status} and can't be changed. Create a new release.":
    'This release can no longer be changed. Create a new release.',
  // Newsletters
  'This entry has a scheduled or running send. Cancel the send first.':
    'This issue is scheduled or being sent. Cancel the send first.',
  'redirectUrl must be on an allowed origin.':
    "This page isn't on an allowed website. Ask your administrator to allow it.",
  'This entry was already sent or scheduled. Set resend=true to send it again.':
    'This issue was already sent or scheduled. Select “Send again to subscribers who already got this issue” to send it again.',
  // Exports
  'CSV exports support at most {max} markets. Export as ndjson instead.':
    'CSV exports support at most {max} markets. Export as NDJSON instead.',
};
