import { Link } from '@tanstack/react-router';
import { MissingPage } from '@/components/missing-page';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { HOME } from '@/lib/redirect';

export function NotFoundPage() {
  const t = useTexts(shell);
  const me = useMaybeMe();
  return (
    <MissingPage page={t('notFound.page')} title={t('notFound.title')} text={t('notFound.text')}>
      <Link to={me ? HOME : '/'}>{t('notFound.home')}</Link>
    </MissingPage>
  );
}
