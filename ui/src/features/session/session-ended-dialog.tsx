import { useState } from 'react';
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
import { auth } from '@/i18n/en/auth';
import { member } from '@/i18n/en/user';
import { LoginForm, type LoginStep } from './login-form';

type Props = { username: string; onResume: (user: User) => void; onLeave: () => void };

export default function SessionEndedDialog({ username, onResume, onLeave }: Props) {
  const t = useTexts(member);
  const tAuth = useTexts(auth);
  const [step, setStep] = useState<LoginStep>('first');
  return (
    <AlertDialog back={false} open>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{step === 'first' ? t('ended.title') : tAuth('login.second')}</AlertDialogTitle>
          <AlertDialogDescription>{step === 'first' ? t('ended.text') : tAuth('login.secondLede')}</AlertDialogDescription>
        </AlertDialogHeader>
        <div className="mt-4 grid gap-4 *:min-w-0">
          <LoginForm username={username} onDone={onResume} onStep={setStep} />
          <Button variant="ghost" onClick={onLeave}>
            {t('ended.leave')}
          </Button>
        </div>
      </AlertDialogContent>
    </AlertDialog>
  );
}
