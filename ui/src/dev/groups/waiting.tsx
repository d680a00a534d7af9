import { SkeletonPage } from '@/components/skeleton-page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { notify } from '@/lib/toast';
import { type Group, Sample, useSay } from '../kit';
import { PEOPLE } from '../samples';

const Skeletons = () => (
  <Sample of="a bar; in any size">
    <Skeleton className="w-1/2" />
    <Skeleton />
    <Skeleton className="h-11 w-40" />
  </Sample>
);

function SkeletonPages() {
  const say = useSay();
  return (
    <Sample of="part: one word for screen readers, the bars hidden from them">
      <SkeletonPage label={say('Loading', 'লোড হচ্ছে')} part>
        <div className="flex items-center gap-3">
          <Skeleton className="size-10 rounded-full" />
          <Skeleton className="w-40" />
        </div>
      </SkeletonPage>
    </Sample>
  );
}

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

export const waiting: Group = {
  title: 'Waiting and toasts',
  parts: {
    skeleton: Skeletons,
    'skeleton-page': SkeletonPages,
    spinner: Spinners,
    sonner: Toasts,
  },
};
