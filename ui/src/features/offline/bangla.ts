import { common } from '@/i18n/bn/common';
import { dealLine } from '@/i18n/bn/deal-line';
import { khata } from '@/i18n/bn/khata';
import { offline } from '@/i18n/bn/offline';
import type { Dictionary } from '@/i18n/texts';

/** The offline page's build replaces all Bangla texts with these (tools/service-worker.ts). */
export const bn: Record<string, Dictionary> = { common, dealLine, khata, offline };
