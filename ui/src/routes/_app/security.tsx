import { createFileRoute } from '@tanstack/react-router';
import { accountQuery } from '@/entities/user/queries';
import { secondFactorQuery } from '@/entities/user/second-factor/methods';
import { activityQuery, sessionsQuery } from '@/features/security/queries';
import { SecurityPage } from '@/features/security/security-page';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_app/security')({
  loader: ({ context: { queryClient } }) => {
    prefetch(queryClient, accountQuery, secondFactorQuery, sessionsQuery, activityQuery);
  },
  component: SecurityPage,
});
