import { Note } from '@/components/note';
import { isLimit, LimitsLink } from '@/entities/wallet/limits';
import { errorText } from '@/lib/errors';

/** A refusal because of a limit of the account stays in its place when the toast is gone, with the way to what raises it. */
export function LimitNote({ error, className }: { error: unknown; className?: string }) {
  return (
    <div role="alert" className="empty:absolute">
      {isLimit(error) ? (
        <Note kind="wait" className={className}>
          <p className="font-semibold">{errorText(error)}</p>
          <p>
            <LimitsLink error={error} />
          </p>
        </Note>
      ) : null}
    </div>
  );
}
