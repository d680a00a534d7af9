import { useState } from 'react';
import { cn } from '@/lib/cn';

/** The class, and the width in which the server keeps the picture that is sharp enough at that size. */
const SIZES = { s: ['s32', 96], m: ['', 96], l: ['s56', 320], xl: ['s72', 320] } as const;
const TINTS = 4;

/** The same person has the same tint everywhere. */
function tintOf(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return `a${(sum % TINTS) + 1}`;
}

type Props = { name: string; picture?: string; size?: keyof typeof SIZES; className?: string };

/** Picture or first letter. Decoration: the name must stand beside it, or on the control around it. */
export function Avatar({ name, picture, size = 'm', className }: Props) {
  const [failed, setFailed] = useState<string>();
  const [sizeClass, width] = SIZES[size];
  const classes = cn('avatar', sizeClass, tintOf(name), className);
  if (picture && picture !== failed) {
    // One that was just chosen is not on the server yet.
    const src = picture.startsWith('data:') ? picture : `${picture}?w=${width}`;
    return <img data-slot="avatar" className={classes} src={src} alt="" loading="lazy" onError={() => setFailed(picture)} />;
  }
  return (
    <span data-slot="avatar" className={classes} aria-hidden="true">
      {name.charAt(0).toUpperCase()}
    </span>
  );
}
