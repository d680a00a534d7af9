import { createFileRoute } from '@tanstack/react-router';
import { EmptyPanel } from '@/features/inbox/empty-panel';
import { reopen } from '@/features/inbox/loader';

export const Route = createFileRoute('/_app/inbox/')({
  loader: ({ preload }) => (preload ? undefined : reopen()),
  component: EmptyPanel,
});
