import type { Dictionary } from '../texts';
import { auth } from './auth';
import { common } from './common';
import { dashboard } from './dashboard';
import { errors } from './errors';
import { khata } from './khata';
import { landing } from './landing';
import { serverMessages } from './server-messages';
import { shell } from './shell';

/** All Bangla texts, by the name of their catalogue. This module is the lazy Bangla chunk. */
export const bn: Record<string, Dictionary> = { auth, common, dashboard, errors, khata, landing, serverMessages, shell };
