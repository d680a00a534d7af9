import { createFileRoute } from '@tanstack/react-router';
import { PapersPage } from '@/features/pages/papers-page';
import { loadPageText } from '@/features/pages/queries';

export const Route = createFileRoute('/_public/papers')({
  loader: ({ context }) => loadPageText(context.queryClient, 'company'),
  component: PapersPage,
});
