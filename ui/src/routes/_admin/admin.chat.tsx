import { createFileRoute } from '@tanstack/react-router';
import { chatSearch } from '@/features/admin/admin-search';
import { ChatPage } from '@/features/admin/chat/chat-page';

export const Route = createFileRoute('/_admin/admin/chat')({
  validateSearch: chatSearch,
  component: ChatPage,
});
