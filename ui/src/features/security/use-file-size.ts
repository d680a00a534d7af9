import { useTexts } from '@/i18n';
import { ownData } from '@/i18n/en/own-data';
import { localDigits } from '@/lib/money';

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** "1.2 MB", "48 KB". */
export function useFileSize() {
  const t = useTexts(ownData);
  return (bytes: number): string =>
    bytes < MEGABYTE
      ? t('kilobytes', { size: localDigits(String(Math.max(1, Math.round(bytes / KILOBYTE)))) })
      : t('megabytes', { size: localDigits((bytes / MEGABYTE).toFixed(1)) });
}
