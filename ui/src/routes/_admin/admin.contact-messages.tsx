import { createFileRoute } from '@tanstack/react-router';
import { ContactMessagesPage } from '@/features/admin/feedback/contact-messages-page';
import { contactMessagesQuery } from '@/features/admin/feedback/queries';
import { listSearch } from '@/features/admin/queue/list-search';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_admin/admin/contact-messages')({
  validateSearch: listSearch,
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ context: { queryClient }, deps }) => {
    prefetch(queryClient, contactMessagesQuery(deps));
  },
  component: ContactMessagesPage,
});
