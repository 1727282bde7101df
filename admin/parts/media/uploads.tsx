/**
 * Uploads files chosen with a button, dropped on `<DropZone>` or pasted. `done` is called with each uploaded file. Pending and failed
 * uploads are listed with their progress.
 */
import { isSoukError, type MediaItem } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { noteUnreachable } from '../load.ts';
import { errorSentence, messageOf } from '../problem.tsx';
import { uploadFile } from './upload.ts';

type Upload = {
  id: number;
  file: File;
  share: number;
  problem?: { text: string; isFinal: boolean } | undefined;
  cancel: () => void;
  retry: () => void;
};
let last = 0;

/** Uploads in progress. Each resolves to whether all of its files were uploaded or canceled. */
const pending = new Set<Promise<boolean>>();

/** Waits for the uploads on the page, so that a save includes them. False if one failed. */
export const uploadsFinished = async (): Promise<boolean> => (await Promise.all(pending)).every(Boolean);

export function useUploads(done: (item: MediaItem) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const latest = useRef(done);
  latest.current = done;
  const remove = (id: number) => setUploads((before) => before.filter((each) => each.id !== id));
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)));

  async function send(id: number, file: File, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return true;
    try {
      const item = await uploadFile(file, (share) => change(id, { share }), signal);
      remove(id);
      latest.current(item);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      noteUnreachable(error);
      change(id, { problem: refusalOf(error as Error) });
      return false;
    }
  }

  function add(files: Iterable<File>): void {
    const queue = [...files].map((file) => {
      const controller = new AbortController();
      const id = ++last;
      const cancel = () => {
        controller.abort();
        remove(id);
      };
      const run = () => send(id, file, controller.signal);
      const retry = () => {
        change(id, { problem: undefined });
        track([run]);
      };
      setUploads((before) => [...before, { id, file, share: 0, cancel, retry }]);
      return run;
    });
    track(queue);
  }
  return { uploads, add };
}

/** Uploads one file after another. */
async function track(queue: (() => Promise<boolean>)[]): Promise<void> {
  const work = (async () => {
    let isComplete = true;
    for (const run of queue) isComplete = (await run()) && isComplete;
    return isComplete;
  })();
  pending.add(work);
  await work;
  pending.delete(work);
}

/** Each request has one file, so the field name is left out. A rejected file can't be retried. */
function refusalOf(error: Error): Upload['problem'] {
  if (!isSoukError(error)) return { text: error.message, isFinal: false };
  const [detail] = error.details;
  const text = detail ? messageOf(detail) : errorSentence(error);
  return { text, isFinal: error.status === 413 || error.status === 422 };
}

const named = (text: string, field: string | undefined) => (field ? `${text}: ${field}` : text);

type ZoneProps = {
  uploads: ReturnType<typeof useUploads>;
  accept?: string | undefined;
  /** The label of the form field, if there are several. */
  label?: string;
  /** Allows several files at once. */
  many?: boolean;
  /** Also uploads files pasted anywhere on the page. */
  wholePage?: boolean;
  /** Shown next to the button. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
};

export function DropZone({ uploads, accept, label, many = true, wholePage = false, ...slots }: ZoneProps) {
  const add = (files: Iterable<File>) => uploads.add(many ? files : [...files].slice(0, 1));
  const text = t(many ? 'media.upload' : 'media.uploadOne');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const paste = (event: ClipboardEvent) => {
    const files = event.clipboardData?.files;
    if (!files?.length) return;
    event.preventDefault();
    add(files);
  };
  useEffect(() => {
    if (!wholePage) return;
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button inside does the same.
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        setOver(false);
        add(event.dataTransfer.files);
      }}
      onPaste={wholePage ? undefined : paste}
    >
      <div class="drop-bar">
        <button type="button" class="quiet" aria-label={named(text, label)} onClick={() => input.current?.click()}>
          {text}
        </button>
        {slots.actions}
        <span class="hint">{t(wholePage ? 'media.dropHint' : 'media.dropHere')}</span>
        <label class="visually-hidden" for={id}>
          {named(t(many ? 'media.files' : 'media.file'), label)}
        </label>
        <input
          ref={input}
          id={id}
          class="visually-hidden"
          type="file"
          multiple={many}
          accept={accept}
          tabIndex={-1}
          onChange={({ currentTarget }) => {
            if (currentTarget.files) add(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </div>
      {uploads.uploads.length > 0 && (
        <ul class="uploads" aria-label={t('media.uploads')}>
          {uploads.uploads.map((upload) => (
            <li key={upload.id}>
              <span class="name">{upload.file.name}</span>
              {upload.problem ? (
                <span>
                  <span class="field-error" role="alert">
                    {upload.problem.text}
                  </span>{' '}
                  {!upload.problem.isFinal && (
                    <button type="button" class="link small" onClick={upload.retry}>
                      {t('parts.retry')}
                    </button>
                  )}
                </span>
              ) : (
                <span>
                  <progress aria-label={upload.file.name} value={upload.share} max={1} />
                  {upload.share === 1 && <small>{t('media.checking')}</small>}
                </span>
              )}
              <button
                type="button"
                class="icon"
                aria-label={t('media.cancelUpload', { name: upload.file.name })}
                onClick={upload.cancel}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {slots.children}
    </div>
  );
}
