#!/usr/bin/env node
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`souk: Node 22.12 or newer is required. This is Node ${process.versions.node}.\n`);
  process.exit(1);
}
// Node caches the compiled code of modules imported after this line, so the next startup is faster.
module.enableCompileCache();
const { runCli } = await import('./cli/index.ts');
await runCli(process.argv.slice(2));
