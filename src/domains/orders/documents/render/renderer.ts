import { unavailable } from '../../../../shared/errors.ts';
import { ConversionFailed, createConverter } from '../../../../shared/threads/index.ts';
import type { RenderTask } from './render-task.ts';

const gone = () => unavailable('The client closed the connection.');
const tooSlow = () => unavailable('Generating the document took too long. Try again later.');

/** Renders documents in a thread. */
export function createRenderer() {
  const converter = createConverter<RenderTask, Uint8Array>(new URL('./render-task.ts', import.meta.url), {
    heapBytes: 256 * 1_048_576,
    cpuMs: 20_000,
    outputBytes: 64 * 1_048_576,
    busy: 'Too many documents are being generated. Try again later.',
  });

  return {
    /** A document that is still waiting when `signal` is aborted is not rendered. */
    async render(task: RenderTask, signal?: AbortSignal): Promise<Buffer> {
      try {
        const bytes = await converter.convert(task.document.businessId, task, signal);
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      } catch (error) {
        if (signal?.aborted && error === signal.reason) throw gone();
        if (error instanceof ConversionFailed && error.code !== 'CRASHED') throw tooSlow();
        throw error;
      }
    },
  };
}

export type Renderer = ReturnType<typeof createRenderer>;
