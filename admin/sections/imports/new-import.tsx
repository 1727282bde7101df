import type { CreateImportQuery } from '@souk/client';
import { useId, useRef, useState } from 'preact/hooks';
import { SelectField, TextField } from '../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { query as address, navigate } from '../../shell/router.ts';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { sendFile } from './send.ts';
import { canImport, IMPORT_TYPES, type ImportType } from './types.ts';

const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,application/json';
const MAX_RESULTS = 500;
const ENCODINGS = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1251'] as const),
  ...(['macintosh', 'shift_jis', 'gb18030'] as const),
];
/** Reading more would make the page slow. */
const CHECKED_BYTES = 8 * 1024 * 1024;

export function NewImport() {
  const types = IMPORT_TYPES.filter(canImport);
  const requested = address.value.get('type') as ImportType;
  const [type, setType] = useState<ImportType>(types.includes(requested) ? requested : types[0]!);
  const [file, setFile] = useState<File | null>(null);
  const [isUnclear, setUnclear] = useState(false);
  const [encoding, setEncoding] = useState<Encoding | ''>('');
  const [share, setShare] = useState<number | null>(null);
  const [more, setMore] = useState<Pick<CreateImportQuery, 'market' | 'collectionId' | 'consent'>>({
    ...(address.value.get('collection') ? { collectionId: address.value.get('collection')! } : {}),
  });
  const { run, isBusy, error } = useAction(async (dryRun: boolean) => {
    if (!file) return;
    setShare(0);
    try {
      const given = Object.fromEntries(Object.entries(fieldsOf(type, more)).filter(([, value]) => value));
      const options = { ...(encoding ? { encoding } : {}), ...(dryRun ? { dryRun } : {}) };
      const created = await sendFile(file, { type, ...given, ...options }, setShare);
      forget('list imports');
      navigate(`/imports/${created.id}`);
    } finally {
      setShare(null);
    }
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run(type !== 'business');
      }}
    >
      <p class="quiet">{t('imports.importText')}</p>
      <div class="fields">
        <SelectField
          label={t('imports.type')}
          value={type}
          options={types.map((each) => [each, t(`imports.${each}`)] as const)}
          onInput={setType}
        />
        <Options type={type} value={more} onInput={setMore} error={error} />
      </div>
      <FileDrop
        file={file}
        choose={async (chosen) => {
          setFile(chosen);
          setEncoding('');
          setUnclear(!(await isUtf8(chosen)));
        }}
      />
      {isUnclear && (
        <div class="fields">
          <SelectField
            label={t('imports.encoding')}
            hint={t('imports.encodingHint')}
            value={encoding}
            options={[
              ['', t('imports.detected')],
              ...ENCODINGS.map((each) => [each, t(`imports.encoding-${each}`)] as const),
            ]}
            onInput={setEncoding}
          />
        </div>
      )}
      {share !== null && <progress aria-label={t('imports.uploading')} value={share} max={1} />}
      <Problem error={error} />
      <div class="actions">
        {type !== 'business' && (
          <button type="submit" disabled={!file || isBusy}>
            {t('imports.runDryRun')}
          </button>
        )}
        <button
          type="button"
          class={type === 'business' ? '' : 'quiet'}
          disabled={!file || isBusy}
          onClick={() => run(false)}
        >
          {t('imports.importNow')}
        </button>
      </div>
    </form>
  );
}

type Encoding = (typeof ENCODINGS)[number];

/** Other encodings can't be detected reliably. */
async function isUtf8(file: File): Promise<boolean> {
  const bytes = await file.slice(0, CHECKED_BYTES).arrayBuffer();
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

type More = Pick<CreateImportQuery, 'market' | 'collectionId' | 'consent'>;

/** The options of this type. */
const fieldsOf = (type: ImportType, { market, collectionId, consent }: More): More => ({
  ...((type === 'products' || type === 'orders') && market ? { market } : {}),
  ...((type === 'entries' || type === 'subscribers') && collectionId ? { collectionId } : {}),
  ...((type === 'customers' || type === 'subscribers') && consent ? { consent } : {}),
});

type OptionsProps = { type: ImportType; value: More; onInput: (value: More) => void; error: unknown };

function Options({ type, value, onInput, error }: OptionsProps) {
  const markets = business.value?.configs.markets ?? [];
  const { data: collections = [] } = useLoad('import collections', (signal) =>
    souk.collections.list({ limit: 100 }, { signal }).take(MAX_RESULTS),
  );
  const shown = collections.filter((each) => (each.type === 'NEWSLETTER') === (type === 'subscribers'));
  return (
    <>
      {(type === 'products' || type === 'orders') && markets.length > 1 && (
        <SelectField
          label={t('imports.market')}
          hint={t('imports.marketHint')}
          value={value.market ?? ''}
          options={[['', t('imports.noMarket')], ...markets.map(({ id, name }) => [id, name ?? id] as const)]}
          onInput={(market) => onInput({ ...value, market })}
          problem={problemOf(error, 'market')}
        />
      )}
      {(type === 'entries' || type === 'subscribers') && (
        <SelectField
          label={t(type === 'entries' ? 'imports.collection' : 'imports.newsletter')}
          hint={t('imports.collectionHint')}
          value={value.collectionId ?? ''}
          options={[['', t('imports.asInFile')], ...shown.map(({ id, name }) => [id, name] as const)]}
          onInput={(collectionId) => onInput({ ...value, collectionId })}
          problem={problemOf(error, 'collectionId')}
        />
      )}
      {type === 'subscribers' && (
        <TextField
          label={t('imports.consent')}
          hint={t('imports.consentHint')}
          value={value.consent ?? ''}
          maxLength={200}
          onInput={(consent) => onInput({ ...value, consent })}
          problem={problemOf(error, 'consent')}
        />
      )}
    </>
  );
}

function FileDrop({ file, choose }: { file: File | null; choose: (file: File) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
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
        const dropped = event.dataTransfer?.files[0];
        if (!dropped) return;
        event.preventDefault();
        setOver(false);
        choose(dropped);
      }}
    >
      <div class="drop-bar">
        <button type="button" class="quiet" onClick={() => input.current?.click()}>
          {t('imports.chooseFile')}
        </button>
        <span class="hint">{file ? file.name : t('imports.dropHint')}</span>
        <label class="visually-hidden" for={id}>
          {t('imports.file')}
        </label>
        <input
          ref={input}
          id={id}
          class="visually-hidden"
          type="file"
          accept={ACCEPTED}
          tabIndex={-1}
          onChange={({ currentTarget }) => {
            if (currentTarget.files?.[0]) choose(currentTarget.files[0]);
            currentTarget.value = '';
          }}
        />
      </div>
    </div>
  );
}
