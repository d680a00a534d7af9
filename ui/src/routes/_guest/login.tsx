import { createFileRoute, Link, useHydrated, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonVariants } from '@/components/ui/button';
import { AuthPage } from '@/features/session/auth-page';
import { LoginForm, type LoginStep } from '@/features/session/login-form';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { safeRedirect } from '@/lib/redirect';
import { searchParams, text } from '@/lib/search-params';

const validateSearch = searchParams({ redirect: text });

export const Route = createFileRoute('/_guest/login')({
  validateSearch,
  component: Login,
});

function Login() {
  const t = useTexts(auth);
  const router = useRouter();
  const { redirect } = Route.useSearch();
  const [step, setStep] = useState<LoginStep>('first');
  const first = step === 'first';
  const closed = useHydrated() && router.state.location.state.closed;
  return (
    <AuthPage
      title={t(first ? 'login.title' : 'login.second')}
      lede={t(!first ? 'login.secondLede' : closed ? 'login.closed' : 'login.lede')}
      below={
        first && (
          <>
            <Link to="/forgot-password" className={buttonVariants({ variant: 'link', className: 'basis-full' })}>
              {t('login.forgot')}
            </Link>
            <span className="text-muted-foreground">{t('login.noAccount')}</span>
            <Link to="/signup" className={buttonVariants({ variant: 'link' })}>
              {t('login.toSignup')}
            </Link>
          </>
        )
      }
    >
      <LoginForm onStep={setStep} onDone={(user) => router.history.push(safeRedirect(redirect, user))} />
    </AuthPage>
  );
}
