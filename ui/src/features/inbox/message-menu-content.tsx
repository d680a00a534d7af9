import { Copy, Flag } from 'lucide-react';
import { useRef, useState } from 'react';
import type { DirectMessage } from '@/api/contract';
import type { MenuProps } from '@/components/lazy-menu';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu';
import { LazyReport } from '@/entities/moderation/report-button';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { copyText } from '@/lib/copy';

type Props = MenuProps & { message: DirectMessage; name: string; staff: boolean };

export default function MessageMenuContent({ trigger, message, name, staff }: Props) {
  const t = useTexts(moderation);
  const opener = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState(false);
  const person = { _id: message.senderId, username: name, isStaff: staff };
  return (
    <>
      <DropdownMenu defaultOpen>
        <DropdownMenuTrigger asChild ref={opener}>
          {trigger}
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start">
          {message.text === '' ? null : (
            <DropdownMenuItem onSelect={() => void copyText(message.text, t('message.copied'))}>
              <Copy aria-hidden="true" />
              {t('message.copy')}
            </DropdownMenuItem>
          )}
          <DropdownMenuItem onSelect={() => setAsked(true)}>
            <Flag aria-hidden="true" />
            {t('report.message')}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <LazyReport
        about={{ subject: 'message', id: message._id, person }}
        open={asked}
        opener={opener}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
