/** The line of PostgreSQL's output that says why it gave up. */
export function tellingLine(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim());
  const found = lines.findIndex((line) => /(FATAL|PANIC|ERROR|error):|error while/.test(line));
  const line = lines.at(found)?.replace(/^.*?(FATAL|PANIC|ERROR|initdb: error): +/, '');
  const [, hint] = /HINT: +(.*)/.exec(lines[found + 1] ?? '') ?? [];
  return hint ? `${line} (${hint})` : line;
}

export function oneLine(error: unknown): string {
  const { message, stderr } = error as { message: string; stderr?: string };
  return (stderr && tellingLine(stderr)) || message.split('\n')[0]!;
}

/** Undefined where there is no such file; any other failure stays one. */
export async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
