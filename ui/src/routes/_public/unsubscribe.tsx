import { createFileRoute } from '@tanstack/react-router';
import { UnsubscribePage } from '@/features/session/unsubscribe-page';
import { type TokenSearch, tokenSearch } from '@/features/session/token-search';

export const Route = createFileRoute('/_public/unsubscribe')({
  validateSearch: (search): TokenSearch => tokenSearch(search),
  component: Unsubscribe,
});

function Unsubscribe() {
  return <UnsubscribePage token={Route.useSearch().token} />;
}
