/** The `souk` command: finds the command, parses its arguments and prints each error on one line. */
import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import type { Arguments } from './arguments.ts';
import { COMMANDS, type Command } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';
import { version } from './version.ts';

const PARENT_CHECK_MS = 500;

export async function runCli(argv: string[]): Promise<void> {
  stopWithParent();
  try {
    await dispatch(argv);
  } catch (error) {
    process.stderr.write(`souk: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

async function dispatch(argv: string[]): Promise<void> {
  if (cluster.isWorker) return (await import('../processes.ts')).runHttpChild(loadConfig(process.env));
  const [first = 'start', ...rest] = argv;
  if (['--version', '-v'].includes(first)) return print(`${version()}\n`);
  if (['--help', '-h'].includes(first)) return print(generalHelp());
  if (first === 'help' && rest.length === 0) return print(generalHelp());
  const name = first === 'help' ? rest[0]! : first;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : null;
  if (!command) throw new Error(`Unknown command "${name}". Run souk --help for a list.`);
  if (first === 'help' || rest.some((word) => ['--help', '-h', 'help'].includes(word))) {
    return print(commandHelp(name, command));
  }
  await command.run(parse(name, command, rest));
}

function parse(name: string, { options = {}, files = 0 }: Command, args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > files) throw new Error(`Unexpected argument "${positionals[files]}".`);
    return {
      value: (option) => values[option] as string | undefined,
      has: (option) => values[option] === true,
      file: positionals[0],
    };
  } catch (error) {
    // Keeps only the first sentence, because Node adds advice about dashes.
    const [problem] = (error as Error).message.split(/(?<=[^.])\. /);
    throw new Error(`${problem!.replace(/\.?$/, '.')} Run souk ${name} --help.`);
  }
}

const print = (text: string) => void process.stdout.write(text);

/** npx runs a command in a shell that does not forward SIGTERM, so the command stops when that shell exits. */
function stopWithParent(): void {
  if (process.env.npm_command !== 'exec' || cluster.isWorker) return;
  const parent = process.ppid;
  const check = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  setInterval(check, PARENT_CHECK_MS).unref();
}
