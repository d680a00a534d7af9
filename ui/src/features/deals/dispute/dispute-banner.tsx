import { Link } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { disputeBanner } from '@/i18n/en/deal-page';

/** Replaces the move on the deal's page with a link to the dispute. */
export function DisputeBanner({ id }: { id: string }) {
  const t = useTexts(disputeBanner);
  return (
    <Note kind="wait" icon={<Scale aria-hidden="true" />} className="mt-4">
      <p>{t('text')}</p>
      <Button asChild className="mt-3 w-full">
        <Link to="/disputes/$id" params={{ id }}>
          {t('toDispute')}
        </Link>
      </Button>
    </Note>
  );
}

export function FormerDispute({ id }: { id: string }) {
  const t = useTexts(disputeBanner);
  return (
    <p className="mt-3">
      <Link to="/disputes/$id" params={{ id }} className="inline-flex min-h-11 items-center underline">
        {t('over')}
      </Link>
    </p>
  );
}
