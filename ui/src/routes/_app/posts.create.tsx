import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { PostFormPage } from '@/features/posts/form/form-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/posts/create')({
  loader: ({ context: { queryClient } }) => prefetch(queryClient, rateQuery),
  component: Create,
});

function Create() {
  return <PostFormPage />;
}
