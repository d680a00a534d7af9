import { createFileRoute } from '@tanstack/react-router';
import { SavedPage } from '@/features/posts/saved/saved-page';
import { oneOf, searchParams } from '@/lib/search-params';

export const Route = createFileRoute('/_app/saved')({
  validateSearch: searchParams({ tab: oneOf(['searches']) }),
  component: Saved,
});

function Saved() {
  return <SavedPage tab={Route.useSearch().tab ?? 'posts'} />;
}
