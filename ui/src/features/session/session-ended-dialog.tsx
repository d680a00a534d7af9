import type { User } from '@/api/contract';
import {
  AlertDialog,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogHeader,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { LoginForm } from './login-form';

type Props = { username: string; onResume: (user: User) => void; onLeave: () => void };

/** The log-in over a page whose session ended; a default export because it is a lazy chunk. */
export default function SessionEndedDialog({ username, onResume, onLeave }: Props) {
  const t = useTexts(shell);
  return (
    <AlertDialog open>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{t('ended.title')}</AlertDialogTitle>
          <AlertDialogDescription>{t('ended.text')}</AlertDialogDescription>
        </AlertDialogHeader>
        <div className="mt-4 grid gap-4 *:min-w-0">
          <LoginForm username={username} onDone={onResume} />
          <Button variant="ghost" onClick={onLeave}>
            {t('ended.leave')}
          </Button>
        </div>
      </AlertDialogContent>
    </AlertDialog>
  );
}
