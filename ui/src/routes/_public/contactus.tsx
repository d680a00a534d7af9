import { createFileRoute } from '@tanstack/react-router';
import { ContactPage } from '@/features/feedback/contact-page';

export const Route = createFileRoute('/_public/contactus')({ component: ContactPage });
