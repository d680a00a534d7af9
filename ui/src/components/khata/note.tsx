import { Hourglass, Info, OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

const KINDS = {
  plain: { className: '', icon: Info },
  wait: { className: 'note--wait', icon: Hourglass },
  bad: { className: 'note--bad', icon: OctagonAlert },
  info: { className: 'note--info', icon: Info },
};

type NoteProps = {
  kind?: keyof typeof KINDS;
  icon?: ReactNode;
  className?: string;
  children: ReactNode /** Read out when it appears. */;
  alert?: boolean;
};

/** A remark in the page: something to wait for, to know, or that went wrong. */
export function Note({ kind = 'plain', icon, className, children, alert = false }: NoteProps) {
  const Icon = KINDS[kind].icon;
  return (
    <div data-slot="note" role={alert ? 'alert' : undefined} className={cn('note', KINDS[kind].className, className)}>
      {icon ?? <Icon aria-hidden="true" />}
      <div className="fill">{children}</div>
    </div>
  );
}
