import { createFileRoute } from '@tanstack/react-router';
import { ContactPage } from '@/features/help/contact-page';

export const Route = createFileRoute('/_public/contactus')({ component: ContactPage });
