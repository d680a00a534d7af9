import { createFileRoute, Link, useHydrated } from '@tanstack/react-router';
import { buttonVariants } from '@/components/ui/button';
import { AuthPage } from '@/features/session/auth-page';
import { useEntrance } from '@/features/session/mutations';
import NextLine from '@/features/session/next-line';
import { storedReferral } from '@/features/session/referral';
import { SignupForm } from '@/features/session/signup-form';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import { searchParams, text } from '@/lib/search-params';

const validateSearch = searchParams({ redirect: text });

export const Route = createFileRoute('/_guest/signup')({
  validateSearch,
  component: Signup,
});

function Signup() {
  const t = useTexts(auth);
  const search = Route.useSearch();
  // Prerendering knows the path alone.
  const hydrated = useHydrated();
  const redirect = hydrated ? search.redirect : undefined;
  const lede = t(hydrated && storedReferral() !== null ? 'signup.referred' : 'signup.lede');
  return (
    <AuthPage
      title={t('signup.title')}
      lede={redirect === undefined ? lede : <NextLine redirect={redirect} otherwise={lede} />}
      below={
        <>
          <span className="text-muted-foreground">{t('signup.haveAccount')}</span>
          <Link to="/login" search={{ redirect }} className={buttonVariants({ variant: 'link' })}>
            {t('signup.toLogin')}
          </Link>
        </>
      }
    >
      <SignupForm onDone={useEntrance(search.redirect)} />
    </AuthPage>
  );
}
