import { Package } from 'lucide-react';
import { Note } from '@/components/note';
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Empty, EmptyContent, EmptyDescription, EmptyHeader, EmptyMedia, EmptyTitle } from '@/components/ui/empty';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { notify } from '@/lib/toast';
import { type Group, PEOPLE, Sample, Samples, useSay } from '../kit';

const Skeletons = () => (
  <Sample of="a bar; in any size">
    <Skeleton className="w-1/2" />
    <Skeleton />
    <Skeleton className="h-11 w-40" />
  </Sample>
);

function Spinners() {
  const say = useSay();
  return (
    <Sample of="label, for screen readers" row>
      <Spinner label={say('Loading', 'লোড হচ্ছে')} />
    </Sample>
  );
}

/** The toaster is in page.tsx, as the application has one for all pages. */
function Toasts() {
  const say = useSay();
  const text = say('Deal created!', 'ডিল তৈরি হয়েছে!');
  const name = PEOPLE[1].username;
  const message = say('I have sent you all the episodes and the rights to them.', 'সব পর্ব ও সেগুলোর স্বত্ব পাঠিয়েছি।');
  const kinds = {
    success: () => notify.success(text),
    error: () => notify.error(say('Too many attempts.', 'অনেকবার চেষ্টা হয়েছে।'), say('Wait a minute.', 'এক মিনিট অপেক্ষা করুন।')),
    info: () => notify.info(say('You are online again.', 'আপনি আবার অনলাইনে।')),
    message: () => notify.message({ conversationId: 'c-1', name, picture: '', text: message }),
  };
  return (
    <Sample of="2 s, 4 s, 5 s, 4 s" row>
      {Object.entries(kinds).map(([kind, show]) => (
        <Button key={kind} variant="outline" onClick={show}>
          {kind}
        </Button>
      ))}
    </Sample>
  );
}

function Alerts() {
  const say = useSay();
  return (
    <Samples>
      {(['default', 'info', 'pending', 'destructive'] as const).map((variant) => (
        <Sample key={variant} of={`variant="${variant}"`}>
          <Alert variant={variant}>
            <Package aria-hidden="true" />
            <AlertTitle>{say('On its way', 'পথে আছে')}</AlertTitle>
            <AlertDescription>{say('The parcel arrives on Thursday.', 'পার্সেল বৃহস্পতিবার পৌঁছাবে।')}</AlertDescription>
          </Alert>
        </Sample>
      ))}
    </Samples>
  );
}

function Notes() {
  const say = useSay();
  return (
    <Samples>
      {(['plain', 'info', 'wait', 'bad'] as const).map((kind) => (
        <Sample key={kind} of={`kind="${kind}"`}>
          <Note kind={kind} title={kind === 'wait' ? say('Please wait', 'অপেক্ষা করুন') : undefined}>
            {say('An admin checks the payment. That takes an hour at most.', 'একজন অ্যাডমিন পেমেন্ট দেখছেন। বড়জোর এক ঘণ্টা লাগে।')}
          </Note>
        </Sample>
      ))}
      <Sample of="banner, as wide as the window" wide>
        <Note kind="wait" banner>
          {say('Please verify your email.', 'আপনার ইমেইল যাচাই করুন।')}
        </Note>
      </Sample>
    </Samples>
  );
}

function Empties() {
  const say = useSay();
  return (
    <Sample of="media, title, description, content">
      <Empty>
        <EmptyMedia className="grid justify-items-center pt-6">
          <Package className="size-8" aria-hidden="true" />
        </EmptyMedia>
        <EmptyHeader>
          <EmptyTitle>{say('No parcels', 'কোনো পার্সেল নেই')}</EmptyTitle>
          <EmptyDescription>{say('They appear here once they are sent.', 'পাঠানো হলে এখানে দেখা যাবে।')}</EmptyDescription>
        </EmptyHeader>
        <EmptyContent>
          <Button>{say('Send one', 'একটি পাঠান')}</Button>
        </EmptyContent>
      </Empty>
    </Sample>
  );
}

export const messages: Group = {
  title: 'Messages and waiting',
  parts: {
    alert: Alerts,
    note: Notes,
    empty: Empties,
    skeleton: Skeletons,
    spinner: Spinners,
    sonner: Toasts,
  },
};
