import { createFileRoute } from '@tanstack/react-router';
import { SavedPage } from '@/features/posts/saved/saved-page';
import { searchParams, text } from '@/lib/search-params';

export const Route = createFileRoute('/_app/saved')({
  validateSearch: searchParams({ tab: text }),
  component: Saved,
});

function Saved() {
  return <SavedPage tab={Route.useSearch().tab === 'searches' ? 'searches' : 'posts'} />;
}
