import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { souk } from './souk.ts';

const options = { timeout: 60_000 };

test('--help lists every command, and each command has its own help', options, async () => {
  const { stdout } = await souk(['--help']);
  for (const name of Object.keys(COMMANDS)) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
  for (const [name, { options: all = {} }] of Object.entries(COMMANDS)) {
    const { code, stdout: help } = await souk([name, '--help']);
    assert.equal(code, 0);
    assert.match(help, new RegExp(`^Usage: souk ${name}`));
    for (const option of Object.keys(all)) assert.match(help, new RegExp(`^  --${option} `, 'm'));
  }
});

test('--version prints the version of the package', options, async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(await souk(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('an invalid command line causes a one-line error and exit code 1', options, async () => {
  const mistakes: [string[], string][] = [
    [['dance'], 'Unknown command "dance". Run souk --help for a list.'],
    [['constructor'], 'Unknown command "constructor". Run souk --help for a list.'],
    [['start', '--port'], "Unknown option '--port'. Run souk start --help."],
    [['migrate', 'now'], 'Unexpected argument "now". Run souk migrate --help.'],
    [['export', 'a.csv', 'b.csv'], 'Unexpected argument "b.csv". Run souk export --help.'],
    [['import'], 'Specify the file to import. Run souk import --help.'],
    [['import', 'a.csv'], 'Set --business or the environment variable BUSINESS to a business ID.'],
    [['export', '--business', 'b'], 'Set --key or the environment variable KEY to an API key.'],
    [['export', '--format', 'csv'], '--format requires --type.'],
    [
      ['export', '--business', 'b', '--key', 'k', '--url', 'http://127.0.0.1:1'],
      'No response from http://127.0.0.1:1: ',
    ],
    [['restore'], 'Specify the backup folder. Run souk restore --help.'],
  ];
  for (const [args, message] of mistakes) {
    const { code, stdout, stderr } = await souk(args);
    assert.equal(stdout, '');
    assert.equal(code, 1);
    assert.ok(stderr.startsWith(`souk: ${message}`), `${args.join(' ')}: ${stderr}`);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
