import { errorAdvice, errorText } from '@/lib/errors';
import { Note } from './note';

/**
 * The reason for a refusal and what to do, beside the form's button, since the toast goes after
 * four seconds. `text` replaces the error's own message.
 */
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
