import { createFileRoute } from '@tanstack/react-router';
import { LeadersPage } from '@/features/pages/leaders-page';
import { loadPageText } from '@/features/pages/queries';

export const Route = createFileRoute('/_public/ourleaders')({
  loader: ({ context }) => loadPageText(context.queryClient, 'company'),
  component: LeadersPage,
});
