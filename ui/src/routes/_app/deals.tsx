import { createFileRoute, redirect } from '@tanstack/react-router';

/** Both /deal and /deals are known addresses; there is one list. */
export const Route = createFileRoute('/_app/deals')({
  beforeLoad: () => {
    throw redirect({ to: '/deal', replace: true });
  },
});
