import { createFileRoute } from '@tanstack/react-router';
import { ChatDeal } from '@/features/deals/create/chat-deal';
import { loadThread } from '@/features/inbox/loader';
import { ThreadPage, ThreadPending } from '@/features/inbox/thread';

export const Route = createFileRoute('/_app/inbox/$conversationId')({
  loader: ({ context, params, preload }) => loadThread(context.queryClient, params.conversationId, preload),
  component: Conversation,
  pendingComponent: ThreadPending,
});

function Conversation() {
  const { conversationId } = Route.useParams();
  // The key discards all state on another conversation.
  return <ThreadPage key={conversationId} id={conversationId} DealButton={ChatDeal} />;
}
