/** Parses dates as shops write them. Pure. */

/** Longer than any date. */
const MAX_DATE = 64;
// At most 64 characters: `parseOrderDate` rejects longer texts.
const OFFSET = /\s*(?:z|utc|gmt|[+-]\d{2}:?\d{2})$/i;

/** Seconds since 1970 of a date as shops write it; null if it can't be read. Dates without a time zone are in UTC. */
export function parseOrderDate(text: string): { at: number; isAmbiguous: boolean } | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_DATE) return null;
  if (/^\d{9,11}$/.test(trimmed)) return { at: Number(trimmed), isAmbiguous: false };
  const offset = OFFSET.exec(trimmed)?.[0].trim() ?? '';
  const zone = offset === '' || /^(?:z|utc|gmt)$/i.test(offset) ? 'Z' : offset.replace(/^(.\d\d):?(\d\d)$/, '$1:$2');
  const plain = offset === '' ? trimmed : trimmed.replace(OFFSET, '');
  const parts =
    /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap]m)?)?$/i.exec(
      plain,
    );
  if (!parts) return readable(plain, zone);
  const [, a, separator, b, c, hour = '0', minute = '0', second = '0', half] = parts;
  const isIso = a!.length === 4;
  // 13/02/2024 and 13.02.2024 begin with the day, 02/13/2024 with the month.
  const isDayFirst = !isIso && (separator !== '/' || Number(a) > 12);
  const [year, month, day] = isIso ? [a, b, c] : isDayFirst ? [c, b, a] : [c, a, b];
  const hours = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  const two = (value: string | number | undefined) => String(value).padStart(2, '0');
  const ms = Date.parse(`${year}-${two(month)}-${two(day)}T${two(hours)}:${two(minute)}:${two(second)}${zone}`);
  if (Number.isNaN(ms) || ms < 0) return null;
  return {
    at: Math.floor(ms / 1000),
    isAmbiguous: !isIso && separator === '/' && Number(a) <= 12 && Number(b) <= 12 && a !== b,
  };
}

/** `March 1, 2024 10:00 am`. */
function readable(text: string, zone: string): { at: number; isAmbiguous: boolean } | null {
  const ms = Date.parse(`${text} ${zone === 'Z' ? 'UTC' : `GMT${zone}`}`);
  return Number.isNaN(ms) || ms < 0 ? null : { at: Math.floor(ms / 1000), isAmbiguous: false };
}
