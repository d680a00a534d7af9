import { Note } from '@/components/note';
import { LimitsLink } from '@/entities/wallet/limits';
import { ApiError, errorAdvice, errorText } from '@/lib/errors';

export function FormFailure({ error, codes, fallback }: { error: Error | null; codes: readonly string[]; fallback: string }) {
  const shown =
    error instanceof ApiError && error.status !== 401 && Object.keys(error.fields).length === 0 && !codes.includes(error.code);
  return (
    <div role="alert" className="empty:absolute">
      {shown ? (
        <Note kind="bad">
          <p className="font-semibold">{errorText(error, fallback)}</p>
          <p>
            {errorAdvice(error)}
            <LimitsLink error={error} />
          </p>
        </Note>
      ) : null}
    </div>
  );
}
