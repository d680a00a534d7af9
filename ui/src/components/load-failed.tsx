import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { errorAdvice, errorText } from '@/lib/errors';
import { Note } from './note';

type Props = {
  error: unknown;
  text?: string;
  fallback?: string;
  busy?: boolean;
  /** A toast has announced it already. */
  said?: boolean;
  action?: string;
  onRetry: () => void;
};

/** Replaces a part that failed to load: the reason, advice, and Retry. */
export function LoadFailed({ error, text, fallback, busy, said = false, action, onRetry }: Props) {
  const t = useTexts(common);
  return (
    <Note kind="bad" alert={!said}>
      <p>{text ?? errorText(error, fallback)}</p>
      <p>{errorAdvice(error)}</p>
      <PendingButton variant="outline" className="mt-4" pending={busy} pendingText={t('loading')} onClick={onRetry}>
        {action ?? t('retry')}
      </PendingButton>
    </Note>
  );
}

type LineProps = { text: string; className?: string; onRetry: () => void };

/** Replaces a small part that failed to load: a line with Retry. */
export function RetryLine({ text, className, onRetry }: LineProps) {
  const t = useTexts(common);
  return (
    <p className={cn('flex min-w-0 flex-wrap items-center gap-3', className)}>
      {text}
      <Button variant="link" onClick={onRetry}>
        {t('retry')}
      </Button>
    </p>
  );
}
