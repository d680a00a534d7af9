import { createFileRoute, Link, useHydrated, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonVariants } from '@/components/ui/button';
import { AuthPage } from '@/features/session/auth-page';
import { LoginForm, type LoginStep } from '@/features/session/login-form';
import { useEntrance } from '@/features/session/mutations';
import NextLine from '@/features/session/next-line';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { searchParams, text } from '@/lib/search-params';

const validateSearch = searchParams({ redirect: text });

export const Route = createFileRoute('/_guest/login')({
  validateSearch,
  component: Login,
});

function Login() {
  const t = useTexts(auth);
  const router = useRouter();
  const search = Route.useSearch();
  const enter = useEntrance(search.redirect);
  const [step, setStep] = useState<LoginStep>('first');
  const first = step === 'first';
  // Prerendering knows the path alone.
  const hydrated = useHydrated();
  const redirect = hydrated ? search.redirect : undefined;
  const closed = hydrated && router.state.location.state.closed;
  const lede = t(!first ? 'login.secondLede' : closed ? 'login.closed' : 'login.lede');
  return (
    <AuthPage
      title={t(first ? 'login.title' : 'login.second')}
      lede={redirect === undefined || !first ? lede : <NextLine redirect={redirect} otherwise={lede} />}
      below={
        first && (
          <>
            <Link to="/forgot-password" className={buttonVariants({ variant: 'link', className: 'basis-full' })}>
              {t('login.forgot')}
            </Link>
            <span className="text-muted-foreground">{t('login.noAccount')}</span>
            <Link to="/signup" search={{ redirect }} className={buttonVariants({ variant: 'link' })}>
              {t('login.toSignup')}
            </Link>
          </>
        )
      }
    >
      <LoginForm onStep={setStep} onDone={enter} />
    </AuthPage>
  );
}
