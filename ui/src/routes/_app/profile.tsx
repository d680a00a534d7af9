import { createFileRoute } from '@tanstack/react-router';
import { accountQuery } from '@/entities/user/account';
import { SettingsPage } from '@/features/profile/settings-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/profile')({
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient.query({ ...accountQuery, staleTime: 'static' }));
  },
  component: SettingsPage,
});
