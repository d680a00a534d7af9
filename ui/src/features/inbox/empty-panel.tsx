import { Link } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';

export function EmptyPanel() {
  const t = useTexts(chat);
  return (
    <section
      className="flex min-h-0 min-w-0 flex-col items-center justify-center gap-4 p-8 text-center max-[769px]:hidden"
      aria-label={t('empty.title')}
    >
      <MessageSquareText className="size-8 text-subtle-foreground" aria-hidden="true" />
      <p className="font-display text-display-sm">{t('empty.title')}</p>
      <div className="text-muted-foreground">
        <p>{t('empty.text')}</p>
        <p className="text-sm">{t('empty.hint')}</p>
      </div>
      <Button variant="outline" asChild>
        <Link to="/deal">{t('empty.deals')}</Link>
      </Button>
    </section>
  );
}
