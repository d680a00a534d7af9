import { Check, Copy } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { copyText } from '@/lib/copy';

const TICK_MS = 2_000;

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> & {
  value: string;
  /** Names the text for screen readers. */
  label: string;
  done?: string;
  children?: ReactNode;
};

/** Copies the text, shows a tick for 2 s and announces it. Small and outlined by default. */
export function CopyButton({
  value,
  label,
  done,
  variant,
  size,
  className = variant ? undefined : 'px-3 text-sm/[1.3] [&_svg]:-order-1',
  children,
}: Props) {
  const t = useTexts(common);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), TICK_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(value, done ?? t('copied'))) setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button variant={variant ?? 'outline'} size={size} className={className} onClick={() => void copy()}>
      {children}
      <Icon
        data-slot={copied ? 'copied-icon' : 'copy-icon'}
        className={variant === 'link' ? 'size-4' : undefined}
        aria-hidden="true"
      />
      <span className="sr-only">{label}</span>
    </Button>
  );
}
