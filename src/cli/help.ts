import { settingsHelp } from '../config.ts';
import { COMMANDS, type Command } from './commands.ts';

export function generalHelp(): string {
  return lines(
    'Souk: commerce, content and newsletters in one service.',
    '',
    'Usage: souk COMMAND [options]',
    'Without a command, souk runs start.',
    '',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(13)} ${summary}`),
    '',
    'Run souk COMMAND --help for help with a command, or souk --version for the version.',
    'In a clone of the repository, run npm start or npm run souk -- COMMAND.',
    '',
    settingsHelp(),
  );
}

export function commandHelp(name: string, { summary, usage, details = [], hasSettings }: Command): string {
  return lines(
    `Usage: souk ${name}${usage ? ` ${usage}` : ''}`,
    '',
    `${summary}.`,
    ...details.map((line) => (line.startsWith('--') ? `  ${line}` : line)),
    '',
    hasSettings ? settingsHelp() : 'Run souk --help for a list of settings.',
  );
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;
