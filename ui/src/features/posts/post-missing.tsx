import { Link } from '@tanstack/react-router';
import { EmptyStrip } from '@/components/khata/strip';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';

/** Says 'Post not found', and where the others are. */
export function PostMissing() {
  const t = useTexts(posts);
  return (
    <Page title={t('post.missing')} className="standin">
      <div className="standin__in">
        <EmptyStrip />
        <h1 className="d32">{t('post.missing')}</h1>
        <p className="m">{t('post.missingText')}</p>
        <Button asChild>
          <Link to="/explore">{t('post.toMarket')}</Link>
        </Button>
      </div>
    </Page>
  );
}
