/** The built-in generator: derives a value from the prompt. The same prompt always gives the same value. Pure. */
import { type BlockDefinition, optionsOf } from '../../../shared/blocks/index.ts';
import { firstCharacters } from '../../../shared/text/text.ts';

/** Satisfies the block's settings if possible. */
export function generateValue(block: BlockDefinition, prompt: string, nowSeconds: number): unknown {
  switch (block.type) {
    case 'TEXT':
      return generateText(block, prompt);
    case 'NUMBER':
      return generateNumber(block, prompt);
    case 'BOOLEAN':
      return !/\b(?:no|not|never|false|off|without)\b/i.test(prompt);
    case 'DATE':
      return generateDate(prompt, nowSeconds);
    case 'GEO_LOCATION':
      return generatePlace(prompt);
    case 'SELECT':
      return mentioned(block, prompt)[0] ?? optionsOf(block)[0];
    case 'MULTI_SELECT': {
      const found = mentioned(block, prompt);
      return found.length > 0 ? found : optionsOf(block).slice(0, 1);
    }
    default:
      return null;
  }
}

const USUAL_LENGTH = 500;

function generateText({ settings = {} }: BlockDefinition, prompt: string): string {
  const { minLength = 0, maxLength = USUAL_LENGTH } = settings as { minLength?: number; maxLength?: number };
  const isWrapped = settings.variant === 'HTML' && maxLength > '<p></p>'.length;
  const markup = isWrapped ? '<p></p>'.length : 0;
  const sentence = prompt.replace(/[<>&\s]+/g, ' ').trim() || 'Text';
  let text = `${sentence[0]!.toUpperCase()}${sentence.slice(1)}`;
  if (text.length < 2 * minLength)
    text = `${text}${` ${sentence}`.repeat(Math.ceil((2 * minLength) / sentence.length))}`;
  const length = Math.max(minLength, Math.min(maxLength, USUAL_LENGTH)) - markup;
  const shortened = firstCharacters(text.slice(0, 2 * length), length);
  return isWrapped ? `<p>${shortened}</p>` : shortened;
}

function generateNumber({ settings = {} }: BlockDefinition, prompt: string): number {
  const [min, max] = [(settings.min as number) ?? -Infinity, (settings.max as number) ?? Infinity];
  const round = (value: number) => (settings.integer ? Math.round(value) : value);
  const isInRange = (value: number) => value >= min && value <= max;
  const named = [...prompt.matchAll(/-?\d+(?:\.\d+)?/g)].map(([text]) => round(Number(text))).find(isInRange);
  if (named !== undefined) return named;
  if (isInRange(1)) return 1;
  const nearest = Number.isFinite(min) ? min : max;
  return settings.integer ? (nearest === min ? Math.ceil(nearest) : Math.floor(nearest)) : nearest;
}

function generateDate(prompt: string, nowSeconds: number): number {
  const [named] = /\b\d{4}-\d{2}-\d{2}\b/.exec(prompt) ?? [];
  const seconds = named ? Date.parse(`${named}T00:00:00Z`) / 1000 : Number.NaN;
  return Number.isNaN(seconds) ? nowSeconds : seconds;
}

function generatePlace(prompt: string): { latitude: number; longitude: number } {
  const [, latitude, longitude] = /(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)/.exec(prompt) ?? [];
  const place = { latitude: Number(latitude ?? 0), longitude: Number(longitude ?? 0) };
  return Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : { latitude: 0, longitude: 0 };
}

/** Number of characters of the prompt that are searched, and number of options searched for. */
const MAX_SEARCHED = 1000;
const MAX_OPTIONS = 100;

/** The options whose value or label appears in the prompt. */
function mentioned(block: BlockDefinition, prompt: string): string[] {
  const text = prompt.slice(0, MAX_SEARCHED).toLowerCase();
  const options = (block.settings?.options ?? []) as (string | { value: string; label?: string })[];
  return options
    .slice(0, MAX_OPTIONS)
    .map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
    .filter(({ value, label }) => text.includes(value.toLowerCase()) || (label && text.includes(label.toLowerCase())))
    .map(({ value }) => value);
}
