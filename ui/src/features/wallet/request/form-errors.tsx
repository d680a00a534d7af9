import { useEffect, useEffectEvent } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { Note } from '@/components/note';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';
import { serverFieldErrors } from '@/lib/forms';

type Codes<V extends FieldValues> = Partial<Record<string, Path<V>>>;

/** The refusal with the field that its code is about, where the server named none. */
function placed<V extends FieldValues>(error: ApiError, codes: Codes<V>): ApiError {
  const field = codes[error.code];
  if (!field || Object.keys(error.fields).length > 0) return error;
  const { message, code } = error;
  return new ApiError(error.status, { message, code, fields: { [field]: message } });
}

/** Puts a refusal of the server at the field it is about. `codes` says which field a code is about. */
export function useServerErrors<V extends FieldValues>(
  form: UseFormReturn<V>,
  error: Error | null,
  fields: readonly Path<V>[],
  codes: Codes<V>,
): void {
  const show = useEffectEvent(() => {
    if (error instanceof ApiError) serverFieldErrors(form, placed(error, codes), fields);
  });
  useEffect(() => {
    if (error) show();
  }, [error]);
}

/** A failure that is about no field: it stays in the form when its toast is gone. */
export function FormFailure({ error, codes, fallback }: { error: Error | null; codes: readonly string[]; fallback: string }) {
  const shown =
    error instanceof ApiError && error.status !== 401 && Object.keys(error.fields).length === 0 && !codes.includes(error.code);
  return (
    <div role="alert" className="empty:absolute">
      {shown ? (
        <Note kind="bad">
          <p className="font-semibold">{errorText(error, fallback)}</p>
          <p>{errorAdvice(error)}</p>
        </Note>
      ) : null}
    </div>
  );
}
