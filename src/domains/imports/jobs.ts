/** The job that runs batches of imports, and the notification that wakes its workers. */
export const RUN_IMPORT = 'run-import';
export const importsSubject = (businessId: string) => `${RUN_IMPORT}:${businessId}`;

/** The task that fetches the images of a business. */
export const FETCH_IMAGES = 'import-pictures';

export type RunImport = { businessId: string; id: string };
