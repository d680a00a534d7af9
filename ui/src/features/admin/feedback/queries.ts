import type { BugReport, ContactMessage } from '@/api/contract';
import { keys } from '@/entities/keys';
import { api, sendList } from '@/lib/api';
import type { ListSearch } from '../admin-search';
import { listQuery } from '../queue/list-query';

/** A bug report or contact message. Unknown values are "". */
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

export const bugReportsQuery = ({ page }: ListSearch) =>
  listQuery({
    key: keys.adminBugReports,
    page,
    load: async (query, signal) => {
      const { rows, total } = await sendList(api.GET('/admin/bug-reports', { params: { query }, signal }));
      return { rows: rows.map(fromBug), total };
    },
  });

export const contactMessagesQuery = ({ page }: ListSearch) =>
  listQuery({
    key: keys.adminContactMessages,
    page,
    load: async (query, signal) => {
      const { rows, total } = await sendList(api.GET('/admin/contact-messages', { params: { query }, signal }));
      return { rows: rows.map(fromContact), total };
    },
  });
