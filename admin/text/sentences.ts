/** Translates messages from the API. `{name}` in the English message stands for any text, which the translation repeats. */
export type Sentence = { pattern: RegExp; translation: string };
/** How to show the values with these names. */
type Formats = Readonly<Record<string, (value: string) => string>>;

export const readSentences = (texts: Readonly<Record<string, string>>): Sentence[] =>
  Object.entries(texts).map(([english, translation]) => {
    const source = english.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
    // At most 1,000 characters: an error message of the service.
    return { pattern: new RegExp(`^${source}$`, 'u'), translation };
  });

export function translate(sentences: readonly Sentence[], text: string, formats: Formats = {}): string | undefined {
  for (const { pattern, translation } of sentences) {
    const match = pattern.exec(text);
    const value = (name: string) => match?.groups?.[name] ?? '';
    if (match)
      return translation.replaceAll(/\{(\w+)\}/g, (_, name: string) => formats[name]?.(value(name)) ?? value(name));
  }
  return undefined;
}
