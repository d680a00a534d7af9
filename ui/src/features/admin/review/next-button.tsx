import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';

export function NextButton({ onNext, plain = false }: { onNext: (() => void) | null; plain?: boolean }) {
  const t = useTexts(admin);
  return onNext ? (
    <Button variant={plain ? 'outline' : 'default'} className="min-w-0 flex-1" onClick={onNext}>
      {t('nextOne')}
    </Button>
  ) : null;
}
