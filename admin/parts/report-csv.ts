import { souk } from '../shell/session.ts';

/** The client decodes JSON only, so the file is requested here. After a 401 it is requested once more with a new token. */
export async function loadReportCsv(
  report: 'sales' | 'tax',
  query: Record<string, string | number>,
): Promise<Response> {
  const texts = Object.entries({ ...query, format: 'csv' }).map(([name, value]) => [name, String(value)]);
  const params = new URLSearchParams(texts);
  const request = (token: string | null) =>
    fetch(`/v1/businesses/${souk.businessId}/reports/${report}?${params}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const token = await souk.session.accessToken();
  const response = await request(token);
  if (response.status !== 401 || !(await souk.session.renew(token))) return checked(response);
  return checked(await request(await souk.session.accessToken()));
}

function checked(response: Response): Response {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}
