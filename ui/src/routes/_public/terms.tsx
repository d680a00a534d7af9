import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '@/features/pages/document-page';
import { loadPageText } from '@/features/pages/queries';

export const Route = createFileRoute('/_public/terms')({
  loader: ({ context }) => loadPageText(context.queryClient, 'terms'),
  component: () => <DocumentPage name="terms" />,
});
