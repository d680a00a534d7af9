import { Link } from '@tanstack/react-router';
import { EmptyStrip } from '@/components/khata/strip';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { profile } from '@/i18n/en/profile';

/** Says 'User not found', and where others are. */
export function PersonMissing() {
  const t = useTexts(profile);
  return (
    <Page title={t('missing')} className="standin">
      <div className="standin__in">
        <EmptyStrip />
        <h1 className="d32">{t('missing')}</h1>
        <p className="m">{t('missingText')}</p>
        <Button asChild>
          <Link to="/explore">{t('toMarket')}</Link>
        </Button>
      </div>
    </Page>
  );
}
