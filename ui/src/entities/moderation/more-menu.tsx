import { Ellipsis } from 'lucide-react';
import { LazyMenu } from '@/components/lazy-menu';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import type { Blockable } from './blocks';

const load = () => import('./more-menu-content');

type Props = { person: Blockable; variant?: 'ghost' | 'outline' };

export function MoreMenu({ person, variant = 'ghost' }: Props) {
  const t = useTexts(moderation);
  return (
    <LazyMenu
      load={load}
      menu={{ person }}
      className={buttonVariants({ variant, size: 'icon' })}
      aria-label={t('moreOf', { name: person.username })}
    >
      <Ellipsis aria-hidden="true" />
    </LazyMenu>
  );
}
