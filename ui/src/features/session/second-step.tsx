import type { User } from '@/api/contract';
import { Button } from '@/components/ui/button';
import type { Method } from '@/entities/user/second-factor/methods';
import { ProofForm } from '@/entities/user/second-factor/proof-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { secondFactor } from '@/i18n/en/second-factor';
import { isApiError } from '@/lib/errors';
import { useSecondStep } from './mutations';

type Props = {
  methods: readonly Method[];
  onDone: (user: User) => void;
  /** Back to name and password; `expired` if the server has forgotten them. */
  onBack: (expired: boolean) => void;
};

export function SecondStep({ methods, onDone, onBack }: Props) {
  const t = useTexts(secondFactor);
  const tCommon = useTexts(common);
  return (
    <ProofForm
      {...useSecondStep(onDone)}
      methods={methods}
      wide
      focused
      submitText={t('login.verify')}
      onRefused={(error) => {
        if (isApiError(error, 'login_expired')) onBack(true);
      }}
    >
      <Button variant="link" onClick={() => onBack(false)}>
        {tCommon('back')}
      </Button>
    </ProofForm>
  );
}
