import { createFileRoute } from '@tanstack/react-router';
import { ChatPage } from '@/features/admin/chat/chat-page';
import { chatSearch } from '@/features/admin/chat/chat-search';

export const Route = createFileRoute('/_admin/admin/chat')({
  validateSearch: chatSearch,
  component: ChatPage,
});
