import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import { buttonVariants } from '@/components/ui/button';
import { AuthPage } from '@/features/session/auth-page';
import { LoginForm } from '@/features/session/login-form';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
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
  const a = useTexts(account);
  const router = useRouter();
  const { redirect } = Route.useSearch();
  return (
    <AuthPage
      title={t('login.title')}
      lede={t('login.lede')}
      below={
        <>
          <Link to="/forgot-password" className={buttonVariants({ variant: 'link', className: 'basis-full' })}>
            {a('forgot.link')}
          </Link>
          <span className="text-muted-foreground">{t('login.noAccount')}</span>
          <Link to="/signup" className={buttonVariants({ variant: 'link' })}>
            {t('login.toSignup')}
          </Link>
        </>
      }
    >
      <LoginForm onDone={(user) => router.history.push(safeRedirect(redirect, user))} />
    </AuthPage>
  );
}
