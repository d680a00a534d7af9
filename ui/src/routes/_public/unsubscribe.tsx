import { createFileRoute } from '@tanstack/react-router';
import { UnsubscribePage } from '@/features/session/mail-link-pages';
import { searchParams, text } from '@/lib/search-params';

const validateSearch = searchParams({ token: text });

export const Route = createFileRoute('/_public/unsubscribe')({
  validateSearch,
  component: Unsubscribe,
});

function Unsubscribe() {
  return <UnsubscribePage token={Route.useSearch().token} />;
}
