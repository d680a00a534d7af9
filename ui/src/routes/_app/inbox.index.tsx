import { createFileRoute } from '@tanstack/react-router';
import { EmptyPanel } from '@/features/inbox/empty-panel';

export const Route = createFileRoute('/_app/inbox/')({
  // What runs before the page is in the file of all pages; the chat's data are not.
  beforeLoad: async () => (await import('@/features/inbox/load')).reopen(),
  component: EmptyPanel,
});
