import { Note } from '@/components/note';
import { useTexts } from '@/i18n';
import { decision } from '@/i18n/en/decision';

/** A login refused by a suspension: its end and reason, and how to appeal. */
export default function Suspended({ text }: { text: string }) {
  const t = useTexts(decision);
  return (
    <Note kind="bad" title={t('login.suspended')} alert>
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{text}</p>
      <p>{t('login.appeal')}</p>
    </Note>
  );
}
