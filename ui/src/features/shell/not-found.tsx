import { Link } from '@tanstack/react-router';
import { Missing } from '@/components/missing';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { useMaybeMe } from '@/lib/queries';
import { HOME } from '@/lib/redirect';

/** 404. */
export function NotFoundPage() {
  const t = useTexts(shell);
  const me = useMaybeMe();
  return (
    <Missing page={t('notFound.page')} title={t('notFound.title')} text={t('notFound.text')}>
      <Link to={me ? HOME : '/'}>{t('notFound.home')}</Link>
    </Missing>
  );
}
