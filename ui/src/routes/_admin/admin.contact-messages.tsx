import { createFileRoute } from '@tanstack/react-router';
import { listDeps, listSearch } from '@/features/admin/admin-search';
import { ContactMessagesPage } from '@/features/admin/feedback/feedback-pages';
import { contactMessagesQuery } from '@/features/admin/feedback/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/contact-messages')({
  validateSearch: listSearch,
  loaderDeps: listDeps,
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, contactMessagesQuery(deps));
  },
  component: ContactMessagesPage,
});
