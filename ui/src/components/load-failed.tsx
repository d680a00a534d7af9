import { PendingButton } from '@/components/pending-button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { errorAdvice, errorText } from '@/lib/errors';
import { Note } from './note';

type Props = {
  error: unknown;
  /** In the place of the error's own words. */
  text?: string;
  /** Where it has no words for people. */
  fallback?: string;
  /** While it is asked for again. */
  busy?: boolean;
  /** A toast has said it: it is not read out again. */
  said?: boolean;
  /** In the place of Retry. */
  action?: string;
  onRetry: () => void;
};

/** A part of a page that could not be loaded: why, what to do, and Retry. */
export function LoadFailed({ error, text, fallback, busy, said = false, action, onRetry }: Props) {
  const c = useTexts(common);
  return (
    <Note kind="bad" alert={!said}>
      <p>{text ?? errorText(error, fallback)}</p>
      <p>{errorAdvice(error)}</p>
      <PendingButton variant="outline" className="mt-4" pending={busy} pendingText={c('loading')} onClick={onRetry}>
        {action ?? c('retry')}
      </PendingButton>
    </Note>
  );
}
