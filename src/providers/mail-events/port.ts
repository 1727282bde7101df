/** Reports from email providers about the messages they delivered. */

/** `id` is the provider's own ID of the event. `atSeconds` is when it happened. OTHER has no effect, but is recorded like the others. */
export type MailEvent = {
  id: string;
  kind: 'HARD_BOUNCE' | 'SOFT_BOUNCE' | 'COMPLAINT' | 'DELIVERED' | 'OTHER';
  email: string;
  atSeconds: number;
  detail: string;
};

export type SignedReport = { body: Buffer; headers: Readonly<Record<string, string | string[] | undefined>> };

/** Returns the events of a report, or none if it has no relevant ones. Throws `ReportRefused` if it is not from the provider. */
export type ReadReport = (report: SignedReport, secret: string, nowSeconds: number) => Promise<MailEvent[]>;

export class ReportRefused extends Error {}
