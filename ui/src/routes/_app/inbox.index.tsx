import { createFileRoute } from '@tanstack/react-router';
import { EmptyPanel } from '@/features/inbox/inbox-page';
import { reopen } from '@/features/inbox/loader';

export const Route = createFileRoute('/_app/inbox/')({
  loader: ({ context, preload }) => (preload ? undefined : reopen(context.queryClient)),
  component: EmptyPanel,
});
