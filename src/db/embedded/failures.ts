/** The line of PostgreSQL's output that explains why it exited. */
export function errorLine(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim());
  const found = lines.findIndex((line) => /(FATAL|PANIC|ERROR|error):|error while/.test(line));
  const line = lines.at(found)?.replace(/^.*?(FATAL|PANIC|ERROR|initdb: error): +/, '');
  const [, hint] = /HINT: +(.*)/.exec(lines[found + 1] ?? '') ?? [];
  return hint ? `${line} (${hint})` : line;
}

export function oneLine(error: unknown): string {
  const { message, stderr } = error as { message: string; stderr?: string };
  return (stderr && errorLine(stderr)) || message.split('\n')[0]!;
}

/** Returns undefined if the file does not exist. Other errors are rethrown. */
export async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
