import { createFileRoute, redirect } from '@tanstack/react-router';

/** SPEC names both /deal and /deals; there is one list. */
export const Route = createFileRoute('/_app/deals')({
  beforeLoad: () => {
    throw redirect({ to: '/deal', replace: true });
  },
});
