export type ReportError = (field: string, error: string, message: string) => void;

/** Ignores case. */
export const isSameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
