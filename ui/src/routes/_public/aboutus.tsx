import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '@/features/pages/document-page';
import { loadPageText } from '@/features/pages/queries';

export const Route = createFileRoute('/_public/aboutus')({
  loader: ({ context }) => loadPageText(context.queryClient, 'about'),
  component: () => <DocumentPage name="about" />,
});
