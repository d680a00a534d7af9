import { Link } from '@tanstack/react-router';
import { EmptyStrip } from '@/components/khata/strip';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { useMaybeMe } from '@/lib/queries';
import { HOME } from '@/lib/redirect';

/** 404: an empty ledger line and the way home. */
export function NotFoundPage() {
  const t = useTexts(shell);
  const me = useMaybeMe();
  return (
    <Page title={t('notFound.page')} className="standin">
      <div className="standin__in">
        <EmptyStrip />
        <h1 className="d32">{t('notFound.title')}</h1>
        <p className="m">{t('notFound.text')}</p>
        <Button asChild>
          <Link to={me ? HOME : '/'}>{t('notFound.home')}</Link>
        </Button>
      </div>
    </Page>
  );
}
