import { createFileRoute } from '@tanstack/react-router';
import { PostFormPage } from '@/features/posts/form-page';
import { inBackground } from '@/lib/loading';
import { rateQuery } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/posts/create')({
  loader: () => inBackground(queryClient.query({ ...rateQuery, staleTime: 'static' })),
  component: Create,
});

function Create() {
  return <PostFormPage />;
}
