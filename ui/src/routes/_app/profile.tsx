import { createFileRoute } from '@tanstack/react-router';
import { accountQuery, sessionsQuery } from '@/features/profile/queries';
import { SettingsPage } from '@/features/profile/settings-page';
import { inBackground } from '@/lib/loading';
import { queryClient } from '@/lib/query-client';

export const Route = createFileRoute('/_app/profile')({
  loader: () => {
    inBackground(
      queryClient.query({ ...accountQuery, staleTime: 'static' }),
      queryClient.query({ ...sessionsQuery, staleTime: 'static' }),
    );
  },
  component: SettingsPage,
});
