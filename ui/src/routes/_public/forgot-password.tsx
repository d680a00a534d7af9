import { createFileRoute } from '@tanstack/react-router';
import { ForgotPage } from '@/features/session/forgot-page';

export const Route = createFileRoute('/_public/forgot-password')({ component: ForgotPage });
