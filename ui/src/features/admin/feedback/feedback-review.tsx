import { Mail } from 'lucide-react';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { adminFeedback } from '@/i18n/en/admin-feedback';
import { formatTime } from '@/lib/time';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import type { FeedbackEntry } from './queries';

type Props = { entry: FeedbackEntry; eyebrow: string; onNext: (() => void) | null; onClose: () => void };

export default function FeedbackReview({ entry, eyebrow, onNext, onClose }: Props) {
  const t = useTexts(adminFeedback);
  const { _id, username, name, email, text, createdAt } = entry;
  const subject = entry.subject || t('contactBy', { name });
  const answer = email ? `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(t('answerTo', { subject }))}` : null;
  const known = [
    [t('username'), username || t('notSignedIn')],
    ...(name && name !== username ? [[t('name'), name] as const] : []),
    ...(email ? [[t('email'), email] as const] : []),
    [t('received'), formatTime(createdAt, 'moment')],
  ] as const;
  return (
    <Drawer
      row={_id}
      eyebrow={eyebrow}
      title={subject}
      foot={
        answer || onNext ? (
          <>
            {answer ? (
              <Button className="min-w-0 flex-1" asChild>
                <a href={answer}>
                  <Mail aria-hidden="true" />
                  {t('answer')}
                </a>
              </Button>
            ) : null}
            <NextButton onNext={onNext} plain />
          </>
        ) : null
      }
      onClose={onClose}
    >
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{text}</p>
      <Facts rows={known} />
    </Drawer>
  );
}
