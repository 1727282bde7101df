/** Readers for settings. Each throws a one-line error that names the setting. */

export class SettingError extends Error {}

/** Maximum calls in 5 minutes. */
export type CallLimit = Readonly<{ user: number; address: number }>;

export type Readers = ReturnType<typeof createReaders>;

export function createReaders(env: Record<string, string | undefined>) {
  const read = (name: string) => env[name]?.trim() || undefined;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const text = read(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    }
    return value;
  };
  const url = (name: string, protocols: string[]) => {
    const text = read(name);
    if (text === undefined) return null;
    const parsed = URL.parse(text);
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new SettingError(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
    }
    return text;
  };
  const list = (name: string) =>
    read(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  const choice = (name: string, fallback: string, values: string[]) => {
    const value = read(name) ?? fallback;
    if (!values.includes(value)) throw new SettingError(`${name} must be one of ${values.join(', ')}, not "${value}".`);
    return value;
  };

  const pair = (name: string, fallback: string): [number, number] => {
    const text = read(name) ?? fallback;
    const [first, second] = /^[1-9]\d{0,7}\/[1-9]\d{0,7}$/.test(text) ? text.split('/').map(Number) : [];
    if (!first || !second)
      throw new SettingError(`${name} must be two positive whole numbers, for example ${fallback}.`);
    return [first, second];
  };
  const perUserAndAddress = (name: string, fallback: string): CallLimit => {
    const [user, address] = pair(name, fallback);
    return { user, address };
  };

  return { read, integer, url, list, choice, pair, perUserAndAddress };
}
