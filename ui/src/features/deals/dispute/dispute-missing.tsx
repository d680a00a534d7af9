import { Link } from '@tanstack/react-router';
import { MissingPage } from '@/components/missing-page';
import { useTexts } from '@/i18n';
import { dispute } from '@/i18n/en/dispute';

export function DisputeMissing() {
  const t = useTexts(dispute);
  return (
    <MissingPage title={t('missing')} text={t('missingText')}>
      <Link to="/deal">{t('toDeals')}</Link>
    </MissingPage>
  );
}
