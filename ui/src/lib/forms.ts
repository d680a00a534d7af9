import type { FieldError, FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { Texts, Translate } from '@/i18n/texts';
import { ApiError, errorText, fieldText } from './errors';

export type AnyTranslate = (key: never) => string;

/** The form's field for a name the server uses, or for an error code without a field. */
export type ServerNames<V extends FieldValues> = {
  fields?: Readonly<Record<string, Path<V>>>;
  codes?: Readonly<Record<string, Path<V>>>;
};

// Marks errors of the server, whose messages are sentences instead of keys of a catalogue.
const SERVER = 'server';

/** Messages of schemas are keys of `t`; those of the server are sentences. */
export function messageOf(t: Translate<Texts> | AnyTranslate, error: FieldError | undefined): string | undefined {
  if (!error?.message) return undefined;
  return error.type === SERVER ? error.message : (t as (key: string) => string)(error.message);
}

/** The message of the first broken rule in the given order, for the toast. */
export function firstMessage<V extends FieldValues>(t: AnyTranslate, errors: FieldErrors<V>, order: readonly Path<V>[]): string {
  for (const name of order) {
    const message = messageOf(t, errors[name] as FieldError | undefined);
    if (message) return message;
  }
  return '';
}

/** The refusal's texts by field, or by its code if it names no field. */
function textsByField<V extends FieldValues>(error: ApiError, { fields = {}, codes = {} }: ServerNames<V>): Map<string, string> {
  const named = Object.keys(error.fields);
  const field = codes[error.code];
  if (named.length === 0) return new Map(field ? [[field, errorText(error)]] : []);
  return new Map(named.map((name) => [fields[name] ?? name, fieldText(error, name) ?? '']));
}

/** Shows the server's errors at their fields, and returns their texts in the given order. */
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
