import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
const session = new Session(); session.connect();
process.on('message', async (m: any) => {
  if (m?.start) { await session.post('Profiler.enable'); await session.post('Profiler.setSamplingInterval', { interval: 200 }); await session.post('Profiler.start'); process.send!({ ok: 1 }); }
  if (m?.stop) { const { profile } = await session.post('Profiler.stop'); writeFileSync(m.stop, JSON.stringify(profile)); process.send!({ ok: 1 }); }
});
await import('./souk.ts');
