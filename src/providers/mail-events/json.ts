import { ReportRefused, type SignedReport } from './port.ts';

export type Json = Record<string, unknown>;

/** Throws `ReportRefused` if the body is not JSON. */
export function parseReport(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ReportRefused('The body is not JSON.');
  }
}

export const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Providers send numbers as text and text as numbers. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const secondsOf = (isoTime: unknown): number => Math.floor(Date.parse(text(isoTime)) / 1000) || 0;

export const headerOf = ({ headers }: SignedReport, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};
