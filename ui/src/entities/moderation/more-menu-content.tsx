import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheckBig, Flag } from 'lucide-react';
import { useRef, useState } from 'react';
import type { MenuProps } from '@/components/lazy-menu';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { BlockDialog } from './block-dialog';
import { type Blockable, relationQuery, useBlock } from './blocks';
import { LazyReport } from './report-button';

/** Report and Block or Unblock. Staff cannot be blocked. */
export default function MoreMenuContent({ trigger, person }: MenuProps & { person: Blockable }) {
  const t = useTexts(moderation);
  const opener = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<'report' | 'block' | null>(null);
  const { data: relation } = useQuery(relationQuery(person._id));
  const { unblock } = useBlock(person);
  const name = person.username;
  const close = () => setAsked(null);
  return (
    <>
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild ref={opener}>
          {trigger}
        </DropdownMenuTrigger>
        <DropdownMenuContent className="wrap-anywhere">
          <DropdownMenuItem onSelect={() => setAsked('report')}>
            <Flag aria-hidden="true" />
            {t('report.user', { name })}
          </DropdownMenuItem>
          {person.isStaff ? null : relation?.block === 'mine' ? (
            <DropdownMenuItem onSelect={() => unblock.mutate()}>
              <CircleCheckBig aria-hidden="true" />
              {t('unblock', { name })}
            </DropdownMenuItem>
          ) : (
            <DropdownMenuItem onSelect={() => setAsked('block')}>
              <Ban aria-hidden="true" />
              {t('block', { name })}
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <LazyReport about={{ subject: 'user', id: person._id, person }} open={asked === 'report'} opener={opener} onClose={close} />
      <BlockDialog person={person} open={asked === 'block'} opener={opener} onClose={close} />
    </>
  );
}
