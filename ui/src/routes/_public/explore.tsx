import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { ExplorePage } from '@/features/posts/explore/explore-page';
import { exploreSearch, isFiltered } from '@/features/posts/explore/explore-search';
import { filteredQuery, listingQuery } from '@/features/posts/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/explore')({
  validateSearch: exploreSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    // Not on hover or when prerendered.
    if (preload || import.meta.env.SSR) return;
    const at = exploreSearch(location.search);
    if (isFiltered(at)) prefetch(queryClient, filteredQuery(at), rateQuery);
    else prefetch(queryClient, listingQuery(at), rateQuery);
  },
  component: Explore,
});

function Explore() {
  const { next, ...at } = Route.useSearch();
  return <ExplorePage at={at} next={next} />;
}
