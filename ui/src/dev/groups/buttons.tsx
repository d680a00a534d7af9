import { Heart, MoreHorizontal, Plus } from 'lucide-react';
import { useState } from 'react';
import { CLOTH } from '@/components/classes';
import { PendingButton } from '@/components/pending-button';
import { SealMark } from '@/components/seal-mark';
import { Button } from '@/components/ui/button';
import { Toggle } from '@/components/ui/toggle';
import { ToggleGroup } from '@/components/ui/toggle-group';
import { cn } from '@/lib/cn';
import { type Group, Sample, Samples, useSay } from '../kit';

const VARIANTS = ['default', 'outline', 'secondary', 'ghost', 'destructive', 'link', 'seal'] as const;
const SIZES = ['xs', 'sm', 'default', 'lg'] as const;
const ICON_SIZES = ['icon-xs', 'icon-sm', 'icon', 'icon-lg'] as const;

function Buttons() {
  const say = useSay();
  return (
    <Samples>
      {VARIANTS.map((variant) => (
        <Sample key={variant} of={`variant="${variant}"; with an icon; disabled`} row>
          <Button variant={variant}>{say('Create deal', 'ডিল তৈরি করুন')}</Button>
          <Button variant={variant}>
            {variant === 'seal' ? <SealMark large /> : <Plus aria-hidden="true" />}
            {say('Add', 'যোগ করুন')}
          </Button>
          <Button variant={variant} disabled>
            {say('Not now', 'এখন নয়')}
          </Button>
        </Sample>
      ))}
      <Sample of='variant="inverse", on the cover' row className={cn(CLOTH, 'p-4 [&>figcaption]:text-seal-foreground')}>
        <Button variant="inverse">{say('Start a deal', 'ডিল শুরু করুন')}</Button>
      </Sample>
      {SIZES.map((size) => (
        <Sample key={size} of={`size="${size}"; default, outline, seal`} row>
          <Button size={size}>{say('Save', 'সংরক্ষণ')}</Button>
          <Button size={size} variant="outline">
            {say('Cancel', 'বাতিল')}
          </Button>
          <Button size={size} variant="seal">
            <SealMark />
            {say('Pay $48.00', '$48.00 দিন')}
          </Button>
        </Sample>
      ))}
      <Sample of={`size="${ICON_SIZES.join(', ')}"`} row>
        {ICON_SIZES.map((size) => (
          <Button key={size} size={size} variant="outline" aria-label={`${say('More', 'আরও')}, ${size}`}>
            <MoreHorizontal aria-hidden="true" />
          </Button>
        ))}
      </Sample>
      <Sample of="asChild, around a link" row>
        <Button asChild variant="outline">
          <a href="#button">{say('Explore marketplace', 'মার্কেটপ্লেস দেখুন')}</a>
        </Button>
      </Sample>
      <Sample of="long text, in 240 px" className="max-w-60">
        <Button>{say('Release the money to the seller before the time is over', 'সময় শেষ হওয়ার আগে বিক্রেতাকে টাকা ছেড়ে দিন')}</Button>
      </Sample>
    </Samples>
  );
}

function PendingButtons() {
  const say = useSay();
  const [pending, setPending] = useState(true);
  const busy = { pending, pendingText: say('Payment processing', 'পেমেন্ট চলছে') };
  return (
    <Samples>
      <Sample of="pending; keeps its width and its focus" row wide>
        <PendingButton {...busy} variant="seal">
          {say('Release $480.00', '$480.00 ছাড়ুন')}
        </PendingButton>
        <PendingButton {...busy}>{say('Send', 'পাঠান')}</PendingButton>
        <PendingButton {...busy} variant="outline">
          {say('Retry', 'আবার চেষ্টা')}
        </PendingButton>
        <Toggle pressed={pending} onClick={() => setPending(!pending)}>
          pending
        </Toggle>
      </Sample>
    </Samples>
  );
}

function Toggles() {
  const say = useSay();
  const [pressed, setPressed] = useState(false);
  return (
    <Sample of="pressed, not pressed, with an icon" row>
      <Toggle pressed={pressed} onClick={() => setPressed(!pressed)}>
        {say('Press', 'চাপুন')}
      </Toggle>
      <Toggle pressed>{say('Pressed', 'চাপা')}</Toggle>
      <Toggle pressed={false}>
        <Heart className="size-4" aria-hidden="true" />
        {say('Saved', 'সংরক্ষিত')}
      </Toggle>
    </Sample>
  );
}

function ToggleGroups() {
  const say = useSay();
  const [chosen, setChosen] = useState(1);
  const names = [
    say('Lifetime', 'সব সময়'),
    say('Last 7 days', 'শেষ ৭ দিন'),
    say('Last 15 days', 'শেষ ১৫ দিন'),
    say('Last 30 days', 'শেষ ৩০ দিন'),
  ];
  return (
    <Sample of="one is pressed; on a phone it scrolls">
      <ToggleGroup aria-label={say('Days', 'দিন')}>
        {names.map((name, index) => (
          <Toggle key={name} pressed={index === chosen} onClick={() => setChosen(index)}>
            {name}
          </Toggle>
        ))}
      </ToggleGroup>
    </Sample>
  );
}

export const buttons: Group = {
  title: 'Buttons',
  parts: {
    button: Buttons,
    'pending-button': PendingButtons,
    toggle: Toggles,
    'toggle-group': ToggleGroups,
  },
};
