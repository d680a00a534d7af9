import { Link } from '@tanstack/react-router';
import { MissingPage } from '@/components/missing-page';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';

export function PostMissing() {
  const t = useTexts(posts);
  return (
    <MissingPage title={t('post.missing')} text={t('post.missingText')}>
      <Link to="/explore">{t('post.toMarket')}</Link>
    </MissingPage>
  );
}
