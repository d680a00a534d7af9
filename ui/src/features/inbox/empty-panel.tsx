import { Link } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';

/** Beside the list while no conversation is chosen. */
export function EmptyPanel() {
  const t = useTexts(chat);
  return (
    <section className="chat chat--none" aria-label={t('empty.title')}>
      <MessageSquareText className="i24" aria-hidden="true" />
      <p className="d24">{t('empty.title')}</p>
      <div className="m">
        <p>{t('empty.text')}</p>
        <p className="t14">{t('empty.hint')}</p>
      </div>
      <Button variant="line" asChild>
        <Link to="/deal">{t('empty.deals')}</Link>
      </Button>
    </section>
  );
}
