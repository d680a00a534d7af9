import { queryOptions } from '@tanstack/react-query';
import type { BugReport, ContactMessage } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import { keepChoice, pollQueue, QUEUE_PAGE_SIZE } from '../queue/queries';

/** What somebody wrote to us. Username, name and address are empty where they are not known, the subject where the form has none. */
export type FeedbackEntry = {
  _id: string;
  username: string;
  name: string;
  email: string;
  subject: string;
  text: string;
  createdAt: string;
};

const fromBug = ({ reportedBy, description, ...rest }: BugReport): FeedbackEntry => ({
  ...rest,
  username: reportedBy,
  text: description,
});
const fromContact = ({ sentBy, message, ...rest }: ContactMessage): FeedbackEntry => ({
  ...rest,
  username: sentBy,
  subject: '',
  text: message,
});

// The pages say it themselves, in their place.
const meta = { quiet: true };

/** A page of the bug reports, newest first. */
export const bugReportsQuery = (page: number) =>
  queryOptions({
    queryKey: [...keys.adminBugReports, page],
    queryFn: async ({ signal }) => {
      const query = { page, limit: QUEUE_PAGE_SIZE };
      const { rows, total } = await sendList(api.GET('/admin/bug-reports', { params: { query }, signal }));
      return { rows: rows.map(fromBug), total };
    },
    refetchInterval: pollQueue,
    placeholderData: keepChoice('bug-reports'),
    meta,
  });

/** A page of the messages of the contact form, newest first. */
export const contactMessagesQuery = (page: number) =>
  queryOptions({
    queryKey: [...keys.adminContactMessages, page],
    queryFn: async ({ signal }) => {
      const query = { page, limit: QUEUE_PAGE_SIZE };
      const { rows, total } = await sendList(api.GET('/admin/contact-messages', { params: { query }, signal }));
      return { rows: rows.map(fromContact), total };
    },
    refetchInterval: pollQueue,
    placeholderData: keepChoice('contact-messages'),
    meta,
  });
