import { Note } from '@/components/note';
import { isLimit, LimitsLink } from '@/entities/wallet/limits';
import { errorText } from '@/lib/errors';

/** A refusal by a limit of the account, with the way to raise it. It outlasts the toast. */
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
