/**
 * A reporter for Node's test runner: the files with a failed test, one per line. Throws if a file of a group ran no test, for
 * example because the runner assigned its tests to another file.
 */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export default async function* failedFiles(events: AsyncIterable<TestEvent>) {
  const [suites, tested, failed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = data.file ? relative('.', data.file) : '';
    if (data.nesting === 0 && data.name.endsWith('.test.ts')) suites.add(data.name);
    else tested.add(file);
    if (type !== 'test:fail' || !file.endsWith('.test.ts') || failed.has(file)) continue;
    failed.add(file);
    yield `${file}\n`;
  }
  const empty = [...suites].filter((suite) => !tested.has(suite));
  if (empty.length > 0) throw new Error(`No test of ${empty.join(', ')} ran.`);
}
