import type { FieldError, FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { Texts, Translate } from '@/i18n/texts';
import { ApiError, fieldText } from './errors';

type AnyTranslate = (key: never) => string;

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

/** Puts what the server said about single fields at those fields. */
export function serverFieldErrors<V extends FieldValues>(
  form: UseFormReturn<V>,
  error: unknown,
  fields: readonly Path<V>[],
): void {
  if (!(error instanceof ApiError)) return;
  for (const name of fields) {
    const message = fieldText(error, name);
    if (message) form.setError(name, { type: SERVER, message }, { shouldFocus: true });
  }
}
