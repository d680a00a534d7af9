import { errorAdvice, errorText } from '@/lib/errors';
import { Note } from './note';

/** Why a form was not taken and what to do, beside its button; the toast is gone after four seconds. `text` stands in for the error's own words. */
export function Failure({ error, text, fallback }: { error: unknown; text?: string | undefined; fallback?: string }) {
  return (
    <div role="alert" className="empty:absolute">
      {error ? (
        <Note kind="bad">
          <p>{text ?? errorText(error, fallback)}</p>
          <p>{errorAdvice(error)}</p>
        </Note>
      ) : null}
    </div>
  );
}
