import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { browserOf } from './browser-name';

/** What people call a browser and its system; null if neither is known. */
export function useBrowserName(userAgent: string): string | null {
  const t = useTexts(security);
  const { browser, system } = browserOf(userAgent);
  return browser && system ? t('browserOn', { browser, system }) : (browser ?? system);
}
