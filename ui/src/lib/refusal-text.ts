import type { Failure } from '@/api/contract';
import type { codes } from '@/i18n/bn/codes';
import { translated } from '@/i18n/language';
import type { ApiError } from './errors';
import { amount, centsFromWire, count, localDigits } from './money';
import { formatTime } from './time';

/** Formats a value for the reader's language. Names and words of an admin stay as they are. */
function localValue(name: string, value: string | number): string {
  if (typeof value === 'number') return name === 'count' ? count(value) : amount(centsFromWire(value));
  if (name === 'name' || name === 'reason') return value;
  return name === 'time' || name === 'until' ? formatTime(value, 'moment') : localDigits(value);
}

function byReason({ reason, params }: ApiError): string | null {
  const text = translated('refusals')?.[reason];
  if (typeof text !== 'string') return null;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : localValue(name, value);
  });
}

type TextsByCode<T extends Record<Failure['code'], string>> = T;
// Does not compile if a code of the server has no text.
type Codes = TextsByCode<typeof codes>;

function byCode(code: string): string | null {
  const texts = translated('codes') as Codes | null;
  return texts && Object.hasOwn(texts, code) ? texts[code as keyof Codes] : null;
}

/** The refusal in Bangla by its reason or code; null if this version knows neither. */
export function refusalText(error: ApiError): string | null {
  return byReason(error) ?? byCode(error.code);
}
