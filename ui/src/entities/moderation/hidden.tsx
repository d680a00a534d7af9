import { Link } from '@tanstack/react-router';
import { EyeOff } from 'lucide-react';
import { Note } from '@/components/note';
import { Badge } from '@/components/ui/badge';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';

function HiddenBadge() {
  const t = useTexts(moderation);
  return (
    <Badge variant="failed">
      <EyeOff aria-hidden="true" />
      {t('hidden')}
    </Badge>
  );
}

/** Marks a hidden post. `decision` is null for admins, who see the post as well. */
export function Hidden({ decision }: { decision: string | null }) {
  const t = useTexts(moderation);
  if (decision === null) {
    return (
      <p className="mb-6">
        <HiddenBadge />
      </p>
    );
  }
  return (
    <Note kind="bad" icon={<EyeOff aria-hidden="true" />} title={t('hidden')} className="mb-6">
      <p>{t('hidden.text')}</p>
      <Link to="/decisions/$id" params={{ id: decision }} className={buttonVariants({ variant: 'link' })}>
        {t('hidden.link')}
      </Link>
    </Note>
  );
}

/** The link to the decision, under the card of one's own post. */
export function HiddenLink({ decision, title }: { decision: string; title: string }) {
  const t = useTexts(moderation);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3">
      <HiddenBadge />
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
