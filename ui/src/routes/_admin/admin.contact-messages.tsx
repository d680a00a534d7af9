import { createFileRoute } from '@tanstack/react-router';
import { listSearch } from '@/features/admin/admin-search';
import { ContactMessagesPage } from '@/features/admin/feedback/feedback-pages';
import { contactMessagesQuery } from '@/features/admin/feedback/queries';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/contact-messages')({
  validateSearch: listSearch,
  loader: ({ context: { queryClient }, location }) => prefetch(queryClient, contactMessagesQuery(listSearch(location.search))),
  component: ContactMessagesPage,
});
