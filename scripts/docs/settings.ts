import { SETTINGS } from '../../src/config/settings.ts';
import { code, table } from './markdown.ts';

export function settingsPage(): string {
  const rows = SETTINGS.map((setting) => [code(setting.name), setting.description, code(setting.default)]);
  return `# Settings

Settings are environment variables. If a value is invalid, the service does not start and prints a one-line error with the name of the
setting. \`NODE_ENV=production\` turns on production mode: \`SECRET_KEY\` is required, development pages are off, and logs are JSON.
[Configure](../operate/configure.md) explains which settings to start with.

${table(['Setting', 'Meaning', 'Default'], rows)}`;
}
