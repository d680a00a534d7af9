import type { FieldError, FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { Texts, Translate } from '@/i18n/texts';
import { ApiError, errorText, fieldText } from './errors';

export type AnyTranslate = (key: never) => string;

/** Which field is meant where the server uses another name, and which one an error code is about if the server names no field. */
export type ServerNames<V extends FieldValues> = {
  fields?: Readonly<Record<string, Path<V>>>;
  codes?: Readonly<Record<string, Path<V>>>;
};

// What the server said about a field is marked, so that it is told from a key of the catalogue.
const SERVER = 'server';

/** The text of a field's error. Schemas carry keys of the catalogue `t` as messages; the server's are sentences already. */
export function messageOf(t: Translate<Texts> | AnyTranslate, error: FieldError | undefined): string | undefined {
  if (!error?.message) return undefined;
  return error.type === SERVER ? error.message : (t as (key: string) => string)(error.message);
}

/** The first broken rule in the order of the specification: what the toast says. */
export function firstMessage<V extends FieldValues>(t: AnyTranslate, errors: FieldErrors<V>, order: readonly Path<V>[]): string {
  for (const name of order) {
    const message = messageOf(t, errors[name] as FieldError | undefined);
    if (message) return message;
  }
  return '';
}

/** What a refusal says of each field: by name, or by its code where it names none. */
function textsByField<V extends FieldValues>(error: ApiError, { fields = {}, codes = {} }: ServerNames<V>): Map<string, string> {
  const named = Object.keys(error.fields);
  const field = codes[error.code];
  if (named.length === 0) return new Map(field ? [[field, errorText(error)]] : []);
  return new Map(named.map((name) => [fields[name] ?? name, fieldText(error, name) ?? '']));
}

/** Shows what the server said of single fields at those fields, and returns them in the given order. */
export function serverFieldErrors<V extends FieldValues>(
  form: UseFormReturn<V>,
  error: unknown,
  order: readonly Path<V>[],
  names: ServerNames<V> = {},
): Path<V>[] {
  if (!(error instanceof ApiError)) return [];
  const texts = textsByField(error, names);
  const placed = order.filter((name) => texts.get(name));
  for (const name of placed) form.setError(name, { type: SERVER, message: texts.get(name) ?? '' });
  return placed;
}
