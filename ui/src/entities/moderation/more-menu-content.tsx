import { useQuery } from '@tanstack/react-query';
import { Ban, CircleCheckBig, Flag } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import type { MenuProps } from '@/components/lazy-menu';
import { PendingButton } from '@/components/pending-button';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { type Blockable, relationQuery, useBlock } from './blocks';
import { LazyReport } from './report-button';

const CONSEQUENCES = ['block.does.1', 'block.does.2', 'block.does.3', 'block.does.4'] as const;

type Props = {
  person: Blockable;
  open: boolean;
  onClose: () => void;
  /** Gets the focus back afterwards. */
  opener: RefObject<HTMLElement | null>;
};

function BlockDialog({ person, open, opener, onClose }: Props) {
  const t = useTexts(moderation);
  const { block } = useBlock(person);
  const name = person.username;
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      opener={opener}
      title={t('block.ask', { name })}
      text={
        <ul className="grid list-disc gap-1.5 pl-5 marker:text-subtle-foreground">
          {CONSEQUENCES.map((line) => (
            <li key={line}>{line === 'block.does.4' ? t(line, { name }) : t(line)}</li>
          ))}
        </ul>
      }
      action={
        <PendingButton
          variant="destructive"
          pending={block.isPending}
          onClick={() => block.mutate(undefined, { onSuccess: onClose })}
        >
          <Ban aria-hidden="true" />
          {t('block.yes')}
        </PendingButton>
      }
    />
  );
}

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
