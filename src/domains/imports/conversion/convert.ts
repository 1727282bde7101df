/**
 * Detects and converts files, in a thread: reads rows, groups them into records, converts them, checks their schemas and prepares their
 * texts. Exchanges only plain data with the main thread, and gets the bytes of the file from there.
 */
import { isRecord } from '../../../shared/is-record.ts';
import type { Host } from '../../../shared/threads/index.ts';
import type { Conversion, CsvFormat, ImportType, JsonFormat } from '../formats/format.ts';
import { findFormat } from '../formats/index.ts';
import type { ImportOptions } from '../queries.ts';
import { detectEncoding, type Encoding, type TextStats } from '../source/encoding.ts';
import type { ParseJson } from '../source/json.ts';
import type { Position } from '../source/rows.ts';
import { createSource } from '../source/source.ts';
import { checkComplete } from './check-complete.ts';
import {
  type CheckOf,
  type Compile,
  checksFor,
  convertRecord,
  type Item,
  MAX_OUTPUT_BYTES,
  slowRecord,
} from './convert-record.ts';
import { detect } from './detect.ts';
import { bytesOf } from './file-bytes.ts';
import { type Group, readGroups } from './read-records.ts';

/** `stats`: about the characters of the whole file. */
export type DetectFile = { type: ImportType; encoding?: Encoding; head: Uint8Array; stats: TextStats };
/** `columns`: the names and positions of the columns; null unless the file is CSV. */
export type DetectedFile = {
  format: string;
  options: ImportOptions;
  columns: [name: string, position: number][] | null;
  notes: string[];
};

/** `slow`: the first rows of the records that took too long. `schemas`: by kind of record, as JSON. */
export type OpenFile = {
  type: ImportType;
  format: string;
  options: ImportOptions;
  position: Position;
  slow: readonly number[];
  schemas: string;
};

/** `to` is sent again when it has changed. */
export type Request = { detect: DetectFile } | { open: OpenFile; to: Conversion } | { to: Conversion | null };

/** `needsContext`: the next records can depend on these, so these have to be written first. */
export type Batch = { items: Item[]; isEnd?: true; needsContext?: true };

/** The shared numbers: whether a record is being converted, and its first row. */
export const PROGRESS = { STEP: 0, IS_CONVERTING: 1, ROW: 2 } as const;

const MAX_RECORDS = 20;
const MAX_ROWS = 128;
const MAX_BYTES = 2_097_152;

type File = {
  opened: OpenFile;
  to: Conversion;
  format: CsvFormat | JsonFormat;
  checkOf: CheckOf;
  groups: AsyncGenerator<Group, undefined>;
  /** The kind of the previous record, in the export of a whole business, and the record that starts the next kind. */
  kind: unknown;
  held: Group | undefined;
};

/** `parse` and `compile` apply the rules of request bodies. */
export function createConvert({ parse, compile }: { parse: ParseJson; compile: Compile }) {
  let file: File | null = null;
  /** Kept for the next file. */
  let checks: { schemas: string; checkOf: CheckOf } | null = null;

  async function detectFile({ type, encoding, head: bytes, stats }: DetectFile, host: Host): Promise<DetectedFile> {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const open = bytesOf(host);
    const found = await detect(open, head, {
      type,
      encoding: encoding ?? detectEncoding(head, { ...stats, sample: Buffer.from(stats.sample) }),
      parse,
    });
    const { options, columns } = found;
    const notes =
      type === 'business' ? await checkComplete(createSource(open, options.encoding, options.hasMark), parse) : [];
    return { format: found.format.name, options, columns: columns && [...columns], notes: [...found.notes, ...notes] };
  }

  function openFile(opened: OpenFile, to: Conversion, host: Host): File {
    const { type, options, position, schemas } = opened;
    const { progress } = host;
    const format = findFormat(type, opened.format, options.shape === 'csv');
    // Each chunk of the file is a step, too.
    const ask = (request: unknown) => {
      progress[PROGRESS.STEP]!++;
      return host.ask(request);
    };
    const source = createSource(bytesOf({ progress, ask }), options.encoding, options.hasMark);
    if (checks?.schemas !== schemas) checks = { schemas, checkOf: checksFor(schemas, compile) };
    const groups = readGroups(source, position, format, options, parse) as File['groups'];
    return { opened, to, format, checkOf: checks.checkOf, groups, kind: undefined, held: undefined };
  }

  async function nextBatch(current: File, { progress }: Host): Promise<Batch> {
    const { opened, format, to, checkOf, groups } = current;
    const isBusiness = opened.type === 'business';
    const items: Item[] = [];
    let [rows, written, read, start] = [0, 0, 0, -1];
    for (;;) {
      const group = current.held ?? (await groups.next()).value;
      current.held = undefined;
      if (!group) return { items, isEnd: true };
      if (isBusiness && kindOf(group) === 'end') continue;
      // In the export of a whole business, later kinds of records depend on earlier ones, such as entries on their collections.
      if (isBusiness && kindOf(group) !== current.kind) {
        current.kind = kindOf(group);
        current.held = group;
        return { items, needsContext: true };
      }
      progress.set([progress[PROGRESS.STEP]! + 1, 1, group.number]);
      const { item, bytes } = opened.slow.includes(group.number)
        ? { item: slowRecord(group), bytes: 0 }
        : convertRecord(group, format, to, checkOf);
      progress[PROGRESS.IS_CONVERTING] = 0;
      items.push(item);
      written += bytes;
      rows += group.count;
      if (start === -1) start = group.end;
      read = group.end - start;
      if (items.length >= MAX_RECORDS || rows >= MAX_ROWS || written >= MAX_OUTPUT_BYTES || read >= MAX_BYTES)
        return { items };
    }
  }

  return async function convert(request: Request, host: Host): Promise<DetectedFile | Batch> {
    if ('detect' in request) return detectFile(request.detect, host);
    if ('open' in request) file = openFile(request.open, request.to, host);
    else if (request.to) file!.to = request.to;
    return nextBatch(file!, host);
  };
}

const kindOf = ({ value }: Group) => (isRecord(value) ? value.kind : undefined);
