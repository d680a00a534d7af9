import { createFileRoute } from '@tanstack/react-router';
import { SavedPage } from '@/features/posts/saved/saved-page';
import { searchParams, tabOf } from '@/lib/search-params';

export const Route = createFileRoute('/_app/saved')({
  validateSearch: searchParams({ tab: tabOf(['posts', 'searches']) }),
  component: Saved,
});

function Saved() {
  return <SavedPage tab={Route.useSearch().tab ?? 'posts'} />;
}
