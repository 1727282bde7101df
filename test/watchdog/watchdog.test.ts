import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'node:test';

const url = (path: string) => JSON.stringify(import.meta.resolve(path));

/** Runs code in a process with a watchdog. */
async function run(code: string): Promise<{ exitCode: number | null; output: string }> {
  const source = `
    import { startWatchdog } from ${url('../../src/watchdog/index.ts')};
    import { runWork } from ${url('../../src/shared/work.ts')};
    startWatchdog({ beatMs: 20 });
    ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { exitCode, output };
}

test('a process whose main thread hangs ends with its own exit code, and logs the request and the stack', async () => {
  const { exitCode, output } = await run(`
    function spin() { for (;;); }
    runWork({ name: 'GET /slow' }, async () => { await null; spin(); });`);
  assert.equal(exitCode, 70);
  const { level, work, stack } = JSON.parse(output);
  assert.equal(level, 60);
  assert.equal(work, 'GET /slow');
  assert.match(stack, /^at spin /);
});

test('a regular expression that backtracks is interrupted as well', async () => {
  const { exitCode, output } = await run(`runWork({ name: 'job 1' }, () => /^(a+)+$/.test('a'.repeat(60) + 'b'));`);
  assert.equal(exitCode, 70);
  assert.equal(JSON.parse(output).work, 'job 1');
});

test('a process that is busy but responds goes on', async () => {
  const { exitCode, output } = await run(`
    const untilMs = performance.now() + 1000;
    const work = () => {
      const turnMs = performance.now() + 10;
      while (performance.now() < turnMs);
      if (performance.now() < untilMs) setTimeout(work);
      else process.exit(0);
    };
    work();`);
  assert.deepEqual({ exitCode, output }, { exitCode: 0, output: '' });
});
