import { Link } from '@tanstack/react-router';
import { MissingPage } from '@/components/missing-page';
import { useTexts } from '@/i18n';
import { profile } from '@/i18n/en/profile';

export function PersonMissing() {
  const t = useTexts(profile);
  return (
    <MissingPage title={t('missing')} text={t('missingText')}>
      <Link to="/explore">{t('toMarket')}</Link>
    </MissingPage>
  );
}
