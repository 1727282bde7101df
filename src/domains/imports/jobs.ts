export const RUN_IMPORT = 'run-import';
export const FETCH_PICTURES = 'import-pictures';
export const RESUME_IMPORTS = 'resume-imports';

export type RunImport = { businessId: string; importId: string };
