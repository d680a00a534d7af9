import { createFileRoute, Link, useHydrated, useNavigate } from '@tanstack/react-router';
import { buttonVariants } from '@/components/ui/button';
import { AuthPage } from '@/features/session/auth-page';
import { storedReferral } from '@/features/session/referral';
import { SignupForm } from '@/features/session/signup-form';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { HOME } from '@/lib/redirect';

export const Route = createFileRoute('/_guest/signup')({ component: Signup });

function Signup() {
  const t = useTexts(auth);
  const navigate = useNavigate();
  const referred = useHydrated() && storedReferral() !== null;
  return (
    <AuthPage
      title={t('signup.title')}
      lede={t(referred ? 'signup.referred' : 'signup.lede')}
      below={
        <>
          <span className="text-muted-foreground">{t('signup.haveAccount')}</span>
          <Link to="/login" className={buttonVariants({ variant: 'link' })}>
            {t('signup.toLogin')}
          </Link>
        </>
      }
    >
      <SignupForm onDone={() => void navigate({ to: HOME })} />
    </AuthPage>
  );
}
