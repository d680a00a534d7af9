import { createFileRoute, useHydrated } from '@tanstack/react-router';
import { UnsubscribePage } from '@/features/session/mail-link-pages';
import { StopSearchesPage } from '@/features/session/stop-searches-page';
import { searchParams, text } from '@/lib/search-params';

const validateSearch = searchParams({ token: text, of: text });

export const Route = createFileRoute('/_public/unsubscribe')({
  validateSearch,
  component: Unsubscribe,
});

function Unsubscribe() {
  const { token, of } = Route.useSearch();
  // Prerendering knows the path alone.
  return useHydrated() && of === 'searches' ? <StopSearchesPage token={token} /> : <UnsubscribePage token={token} />;
}
