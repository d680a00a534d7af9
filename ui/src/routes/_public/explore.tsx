import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { ExplorePage } from '@/features/posts/explore/explore-page';
import { exploreSearch } from '@/features/posts/explore/explore-search';
import { listingQuery } from '@/features/posts/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/explore')({
  validateSearch: exploreSearch,
  // No loaderDeps: another search is not another page. The search box keeps the focus, and the old cards stay until the new ones are there.
  loader: ({ context: { queryClient }, location, preload }) => {
    // A pointer that rests on the link asks for no order, and there is nobody to ask where the page is prerendered.
    if (preload || import.meta.env.SSR) return;
    prefetch(
      queryClient.query(listingQuery(exploreSearch(location.search))),
      queryClient.query({ ...rateQuery, staleTime: 'static' }),
    );
  },
  component: Explore,
});

function Explore() {
  return <ExplorePage at={Route.useSearch()} />;
}
