import { Link, useParams } from '@tanstack/react-router';
import { MissingPage } from '@/components/missing-page';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { useForgetRecent } from './recent';

export function PostMissing() {
  const t = useTexts(posts);
  const { postId = '' } = useParams({ strict: false });
  useForgetRecent(postId);
  return (
    <MissingPage title={t('post.missing')} text={t('post.missingText')}>
      <Link to="/explore">{t('post.toMarket')}</Link>
    </MissingPage>
  );
}
