import { createFileRoute, useLocation } from '@tanstack/react-router';
import { SupportPage } from '@/features/help/support-page';
import { searchParams, text } from '@/lib/search-params';

/** State passes the deal; the address has its id, too, for reloads and copied links. */
export const Route = createFileRoute('/_app/support')({
  validateSearch: searchParams({ dealId: text }),
  component: Support,
});

function Support() {
  const { dealId } = Route.useSearch();
  const passed = useLocation({ select: ({ state }) => state.deal });
  const id = dealId ?? passed?._id;
  return <SupportPage dealId={id} dealTitle={passed?._id === id ? passed?.title : undefined} />;
}
