import { createFileRoute, redirect } from '@tanstack/react-router';

/** An alias of /deal. */
export const Route = createFileRoute('/_app/deals')({
  beforeLoad: () => {
    throw redirect({ to: '/deal', replace: true });
  },
});
