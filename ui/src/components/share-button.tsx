import { Share2 } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useLatePart } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { share } from '@/i18n/en/components';

const load = () => import('./share-ways');

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> &
  Omit<ComponentProps<Awaited<ReturnType<typeof load>>['default']>, 'onClose'>;

export function ShareButton({ variant = 'outline', size, className, ...link }: Props) {
  const t = useTexts(share);
  const [open, setOpen] = useState(false);
  const late = useLatePart(load, open, () => setOpen(false));
  return (
    <>
      <Button variant={variant} size={size} className={className} onClick={() => setOpen(true)}>
        <Share2 aria-hidden="true" />
        {t('share')}
      </Button>
      {open && late ? <late.Part {...link} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
