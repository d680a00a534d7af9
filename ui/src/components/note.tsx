import { Hourglass, Info, OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert';

const KINDS = {
  plain: { variant: 'default', icon: Info },
  wait: { variant: 'pending', icon: Hourglass },
  bad: { variant: 'destructive', icon: OctagonAlert },
  info: { variant: 'info', icon: Info },
} as const;

type NoteProps = {
  kind?: keyof typeof KINDS;
  icon?: ReactNode;
  className?: string;
  title?: ReactNode;
  children: ReactNode;
  alert?: boolean;
  banner?: boolean;
};

const BANNER =
  'border-b border-l-0 border-b-border max-sm:py-2 short:py-1.5 px-[max(var(--gutter),calc((100%-1264px)/2+var(--gutter)))]';

export function Note({ kind = 'plain', icon, className, title, children, alert = false, banner = false }: NoteProps) {
  const { icon: Icon, variant } = KINDS[kind];
  return (
    <Alert
      {...(banner ? { 'data-slot': 'banner' } : {})}
      variant={variant}
      role={alert ? 'alert' : undefined}
      className={banner ? BANNER : className}
    >
      {icon ?? <Icon aria-hidden="true" />}
      {title ? <AlertTitle>{title}</AlertTitle> : null}
      <AlertDescription>{children}</AlertDescription>
    </Alert>
  );
}
