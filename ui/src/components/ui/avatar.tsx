import { cn } from '@/lib/cn';

const SIZES = { s: 's32', m: '', l: 's56', xl: 's72' };
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
  const classes = cn('avatar', SIZES[size], tintOf(name), className);
  if (picture) return <img data-slot="avatar" className={classes} src={picture} alt="" loading="lazy" />;
  return (
    <span data-slot="avatar" className={classes} aria-hidden="true">
      {name.charAt(0).toUpperCase()}
    </span>
  );
}
