import { createFileRoute } from '@tanstack/react-router';
import { ResetPage } from '@/features/session/reset-page';
import { type TokenSearch, tokenSearch } from '@/features/session/token-search';

export const Route = createFileRoute('/_public/reset-password')({
  validateSearch: (search): TokenSearch => tokenSearch(search),
  component: Reset,
});

function Reset() {
  return <ResetPage token={Route.useSearch().token} />;
}
