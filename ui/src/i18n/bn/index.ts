import type { Dictionary } from '../texts';
import { account } from './account';
import { admin } from './admin';
import { adminFeedback } from './admin-feedback';
import { auth } from './auth';
import { book } from './book';
import { common } from './common';
import { dashboard } from './dashboard';
import { deals } from './deals';
import { errors } from './errors';
import { feedback } from './feedback';
import { khata } from './khata';
import { landing } from './landing';
import { pages } from './pages';
import { refer } from './refer';
import { review } from './review';
import { serverMessages } from './server-messages';
import { shell } from './shell';
import { support } from './support';
import { trouble } from './trouble';
import { wallet } from './wallet';

/** All Bangla texts, by the name of their catalogue. This module is the lazy Bangla chunk. */
export const bn: Record<string, Dictionary> = {
  account,
  admin,
  adminFeedback,
  auth,
  book,
  common,
  dashboard,
  deals,
  errors,
  feedback,
  khata,
  landing,
  pages,
  refer,
  review,
  serverMessages,
  shell,
  support,
  trouble,
  wallet,
};
