import { createFileRoute } from '@tanstack/react-router';
import { type TokenSearch, tokenSearch } from '@/features/session/token-search';
import { UnsubscribePage } from '@/features/session/unsubscribe-page';

export const Route = createFileRoute('/_public/unsubscribe')({
  validateSearch: (search): TokenSearch => tokenSearch(search),
  component: Unsubscribe,
});

function Unsubscribe() {
  return <UnsubscribePage token={Route.useSearch().token} />;
}
