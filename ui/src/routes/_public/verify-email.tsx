import { createFileRoute } from '@tanstack/react-router';
import { type TokenSearch, tokenSearch } from '@/features/session/token-search';
import { VerifyPage } from '@/features/session/verify-page';

export const Route = createFileRoute('/_public/verify-email')({
  validateSearch: (search): TokenSearch => tokenSearch(search),
  component: Verify,
});

function Verify() {
  return <VerifyPage token={Route.useSearch().token} />;
}
