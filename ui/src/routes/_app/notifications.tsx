import { createFileRoute } from '@tanstack/react-router';
import { notificationSettingsQuery } from '@/features/notifications/queries';
import { NotificationSettingsPage } from '@/features/notifications/settings-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/notifications')({
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, notificationSettingsQuery);
  },
  component: NotificationSettingsPage,
});
