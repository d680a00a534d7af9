import { Link } from '@tanstack/react-router';
import { EyeOff } from 'lucide-react';
import { Note } from '@/components/note';
import { Badge } from '@/components/ui/badge';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';

/** On a post of one's own that Amanat has hidden: that it is, and the way to why. */
export function HiddenNote({ decision }: { decision: string }) {
  const t = useTexts(moderation);
  return (
    <Note kind="bad" icon={<EyeOff aria-hidden="true" />} title={t('hidden')} className="mb-6">
      <p>{t('hidden.text')}</p>
      <Link to="/decisions/$id" params={{ id: decision }} className={buttonVariants({ variant: 'link' })}>
        {t('hidden.link')}
      </Link>
    </Note>
  );
}

/** Under its card among one's own posts. */
export function HiddenLink({ decision, title }: { decision: string; title: string }) {
  const t = useTexts(moderation);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3">
      <Badge variant="failed">
        <EyeOff aria-hidden="true" />
        {t('hidden')}
      </Badge>
      <Link
        to="/decisions/$id"
        params={{ id: decision }}
        aria-label={t('hidden.linkOf', { title })}
        className={buttonVariants({ variant: 'link' })}
      >
        {t('hidden.link')}
      </Link>
    </p>
  );
}
