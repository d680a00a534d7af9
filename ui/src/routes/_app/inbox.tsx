import { createFileRoute, Outlet, useParams } from '@tanstack/react-router';
import { InboxPage } from '@/features/inbox/inbox-page';
import { loadInbox } from '@/features/inbox/loader';

export const Route = createFileRoute('/_app/inbox')({
  loader: ({ context }) => loadInbox(context.queryClient),
  component: Inbox,
});

function Inbox() {
  const { conversationId } = useParams({ strict: false });
  return (
    <InboxPage conversationId={conversationId}>
      <Outlet />
    </InboxPage>
  );
}
