import { createFileRoute, redirect } from '@tanstack/react-router';
import { storeReferral } from '@/features/session/referral';

export const Route = createFileRoute('/_guest/referral/$code')({
  beforeLoad: ({ params }) => {
    storeReferral(params.code);
    throw redirect({ to: '/signup', replace: true });
  },
});
