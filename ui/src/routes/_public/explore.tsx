import { createFileRoute } from '@tanstack/react-router';
import { ExplorePage } from '@/features/posts/explore-page';
import { exploreSearch } from '@/features/posts/explore-search';
import { type Listing, listingQuery } from '@/features/posts/queries';
import { inBackground } from '@/lib/loading';
import { rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_public/explore')({
  validateSearch: (search): Listing => exploreSearch(search),
  loaderDeps: ({ search }) => search,
  loader: ({ deps, preload }) => {
    // A pointer that rests on the link asks for no order.
    if (preload) return;
    inBackground(queryClient.query(listingQuery(deps)), queryClient.query({ ...rateQuery, staleTime: 'static' }));
  },
  component: Explore,
});

function Explore() {
  return <ExplorePage at={Route.useSearch()} />;
}
