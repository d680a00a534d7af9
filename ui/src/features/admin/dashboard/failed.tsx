import { Note } from '@/components/khata/note';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { errorAdvice, errorText } from '@/lib/errors';

/** A part of the dashboard that could not be loaded: 'Error: {message}' (SPEC §2), what to do, and Retry. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const c = useTexts(common);
  return (
    <Note kind="bad" alert>
      <p>{c('error', { message: errorText(error) })}</p>
      <p>{errorAdvice(error)}</p>
      <Button variant="line" className="mt" onClick={onRetry}>
        {c('retry')}
      </Button>
    </Note>
  );
}
