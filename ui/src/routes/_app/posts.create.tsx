import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { PostFormPage } from '@/features/posts/form/form-page';
import { prefetch } from '@/lib/prefetch';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/posts/create')({
  loader: () => prefetch(queryClient.query({ ...rateQuery, staleTime: 'static' })),
  component: Create,
});

function Create() {
  return <PostFormPage />;
}
