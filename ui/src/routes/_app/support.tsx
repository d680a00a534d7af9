import { createFileRoute, useLocation } from '@tanstack/react-router';
import { dealQuery } from '@/entities/deal/queries';
import { SupportPage } from '@/features/help/support-page';
import { prefetch } from '@/lib/prefetch';
import { searchParams, text } from '@/lib/search-params';

/** State passes the deal; the address has its id, too, for reloads and copied links. */
const validateSearch = searchParams({ dealId: text });

export const Route = createFileRoute('/_app/support')({
  validateSearch,
  loader: ({ context: { queryClient }, location }) => {
    const { dealId } = validateSearch(location.search);
    if (dealId !== undefined) prefetch(queryClient, dealQuery(dealId));
  },
  component: Support,
});

function Support() {
  const { dealId } = Route.useSearch();
  const passed = useLocation({ select: ({ state }) => state.deal });
  const id = dealId ?? passed?._id;
  return <SupportPage dealId={id} dealTitle={passed?._id === id ? passed?.title : undefined} />;
}
