import type { Dictionary } from '../texts';
import { account } from './account';
import { admin } from './admin';
import { adminChat } from './admin-chat';
import { adminDashboard } from './admin-dashboard';
import { adminFeedback } from './admin-feedback';
import { adminRecords } from './admin-records';
import { adminSupport } from './admin-support';
import { adminUsers } from './admin-users';
import { auth } from './auth';
import { balance } from './balance';
import { book } from './book';
import { categories } from './categories';
import { chat } from './chat';
import { common } from './common';
import { dashboard } from './dashboard';
import { dealLine } from './deal-line';
import { deals } from './deals';
import { errors } from './errors';
import { feedback } from './feedback';
import { findUser } from './find-user';
import { khata } from './khata';
import { landing } from './landing';
import { live } from './live';
import { notifications } from './notifications';
import { outcomes } from './outcomes';
import { pages } from './pages';
import { password } from './password';
import { period } from './period';
import { postForm } from './post-form';
import { posts } from './posts';
import { profile } from './profile';
import { refer } from './refer';
import { refusals } from './refusals';
import { review } from './review';
import { settings } from './settings';
import { shell } from './shell';
import { support } from './support';
import { trouble } from './trouble';
import { wallet } from './wallet';

/** All Bangla texts, by the name of their catalogue. This module is the lazy Bangla chunk. */
export const bn: Record<string, Dictionary> = {
  account,
  admin,
  adminChat,
  adminDashboard,
  adminFeedback,
  adminRecords,
  adminSupport,
  adminUsers,
  auth,
  balance,
  book,
  categories,
  chat,
  common,
  dashboard,
  dealLine,
  deals,
  errors,
  feedback,
  findUser,
  khata,
  landing,
  live,
  notifications,
  outcomes,
  pages,
  password,
  period,
  postForm,
  posts,
  profile,
  refer,
  refusals,
  review,
  settings,
  shell,
  support,
  trouble,
  wallet,
};
