/** Translates messages from the API. `{name}` in the English message stands for any text, which the translation repeats. */
export type Sentence = { pattern: RegExp; translation: string };

export const readSentences = (texts: Readonly<Record<string, string>>): Sentence[] =>
  Object.entries(texts).map(([english, translation]) => {
    const source = english.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
    return { pattern: new RegExp(`^${source}$`, 'u'), translation };
  });

export function translate(sentences: readonly Sentence[], text: string): string | undefined {
  for (const { pattern, translation } of sentences) {
    const match = pattern.exec(text);
    if (match) return translation.replaceAll(/\{(\w+)\}/g, (_, name: string) => match.groups?.[name] ?? '');
  }
  return undefined;
}
