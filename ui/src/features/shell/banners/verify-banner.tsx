import { Suspense } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Note } from '@/components/note';
import { buttonVariants } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';

// Most users are verified. The page works without it.
const VerifyReminder = lazyPart(() => import('./verify-reminder').catch(() => ({ default: () => <></> })));

/** Reserves its place, so that nothing moves under a finger. */
function Place() {
  const t = useTexts(shell);
  return (
    <div className="invisible" aria-hidden="true">
      <Note kind="wait" banner>
        {t('verify')} <span className={buttonVariants({ variant: 'link', className: 'min-h-6' })}>{t('verify.again')}</span>
      </Note>
    </div>
  );
}

export function VerifyBanner() {
  const me = useMaybeMe();
  if (!me || me.isVerified) return null;
  return (
    <Suspense fallback={<Place />}>
      <VerifyReminder />
    </Suspense>
  );
}
