import { useTexts } from '@/i18n';
import { browser as texts } from '@/i18n/en/browser';
import { browserOf } from './browser-name';

export function useBrowserName(userAgent: string): string | null {
  const t = useTexts(texts);
  const { browser, system } = browserOf(userAgent);
  return browser && system ? t('on', { browser, system }) : (browser ?? system);
}
