/** A reporter for Node's test runner: the files with a failed test, one per line. */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export default async function* failedFiles(events: AsyncIterable<TestEvent>) {
  const files = new Set<string>();
  for await (const { type, data } of events) {
    const file = type === 'test:fail' && data.file ? relative('.', data.file) : '';
    if (!file.endsWith('.test.ts') || files.has(file)) continue;
    files.add(file);
    yield `${file}\n`;
  }
}
