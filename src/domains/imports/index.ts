/**
 * Imports and exports of records as files. An **import** is a file on its way in: its **rows** are read as a **format** and become
 * **records** of other domains, in **batches**. An **export** is a snapshot of records on its way out.
 *
 * Invariants: a record is written whole or not at all, by the rules of its own domain. A batch and how far the import has come
 * are one transaction: whoever goes on after a crash repeats nothing and misses nothing. A record is known by id, slug, SKU or
 * e-mail, so that a file imported twice changes nothing the second time. An import deletes nothing. A file is never in memory as a
 * whole, and neither is an export.
 */
import type { Platform, Snapshots } from '../../context/index.ts';
import { type CompileCheck, createChecks } from './checks.ts';
import type { ImportServices } from './context.ts';
import { fetchPictures } from './fetch-pictures.ts';
import { FETCH_PICTURES, RESUME_IMPORTS, RUN_IMPORT, type RunImport } from './jobs.ts';
import { resumeImports, sweepFiles } from './resume-imports.ts';
import { runImport } from './run-import.ts';
import type { ParseJson } from './source/json.ts';

export type { ImportServices } from './context.ts';

type ImportsOptions = { compileCheck: CompileCheck; parseJson: ParseJson; snapshots: Snapshots };

export function createImports(platform: Platform, { compileCheck, parseJson, snapshots }: ImportsOptions) {
  platform.handleJobs<RunImport, ImportServices>({
    name: RUN_IMPORT,
    urgent: true,
    concurrency: 2,
    expireSeconds: 600,
    handle: runImport,
  });
  platform.handleJobs<object, ImportServices>({
    name: FETCH_PICTURES,
    oncePerKey: true,
    concurrency: 2,
    expireSeconds: 900,
    handle: fetchPictures,
  });
  platform.handleJobs<object, ImportServices>({ name: RESUME_IMPORTS, cron: '* * * * *', handle: resumeImports });
  platform.handleJobs<object, ImportServices>({
    name: 'import-files-sweep',
    cron: '11 4 * * *',
    expireSeconds: 3600,
    handle: sweepFiles,
  });
  return { checks: createChecks(compileCheck), parseJson, snapshots };
}

export type Imports = ReturnType<typeof createImports>;
