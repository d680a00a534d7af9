import { MessageSquareText } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import type { DealView } from '../deal-view';

/** Opens the conversation of the parties; a new one starts with a greeting that names the deal. */
export function MessageButton({ view: { deal, other } }: { view: DealView }) {
  const t = useTexts(chat);
  const { start, pending } = useStartChat();
  // Nobody reads it any more. The inbox has the old messages.
  if (other.closed) return null;
  return (
    <Button
      variant="link"
      aria-disabled={pending || undefined}
      onClick={() => start({ receiverId: other._id, dealId: deal._id })}
    >
      <MessageSquareText className="size-4" aria-hidden="true" />
      {t('messageOther', { name: other.username })}
    </Button>
  );
}
