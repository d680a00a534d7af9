import { Link } from '@tanstack/react-router';
import { MissingPage } from '@/components/missing-page';
import { useTexts } from '@/i18n';
import { decision } from '@/i18n/en/decision';
import { HOME } from '@/lib/redirect';

export function DecisionMissing() {
  const t = useTexts(decision);
  return (
    <MissingPage title={t('missing')} text={t('missingText')}>
      <Link to={HOME}>{t('toDashboard')}</Link>
    </MissingPage>
  );
}
