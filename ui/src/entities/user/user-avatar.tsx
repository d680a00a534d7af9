import { useState } from 'react';
import { Avatar, AvatarFallback, AvatarImage, type AvatarSize } from '@/components/ui/avatar';
import { cn } from '@/lib/cn';

/** Widths on the server that are sharp at that size. */
const WIDTHS = { sm: 96, default: 96, lg: 320, xl: 320 };
const TINTS = [
  'bg-status-active-tint text-status-active',
  'bg-status-done-tint text-status-done',
  'bg-status-delivered-tint text-status-delivered',
  'bg-status-pending-tint text-status-pending',
];

/** The same person has the same tint everywhere. */
function tintOf(name: string) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return TINTS[sum % TINTS.length];
}

type Props = { name: string; picture?: string; size?: AvatarSize; className?: string };

/** Picture or initial. Decorative: the name must be beside it or on the control around it. */
export function UserAvatar({ name, picture, size = 'default', className }: Props) {
  const [failed, setFailed] = useState<string>();
  return (
    <Avatar size={size} className={cn(tintOf(name), className)}>
      {picture && picture !== failed ? (
        <AvatarImage
          // A newly chosen picture is not on the server yet.
          src={picture.startsWith('data:') ? picture : `${picture}?w=${WIDTHS[size]}`}
          onError={() => setFailed(picture)}
        />
      ) : (
        <AvatarFallback>{name.charAt(0).toUpperCase()}</AvatarFallback>
      )}
    </Avatar>
  );
}
