import { Package } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Failure } from '@/components/failure';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { OutcomePanel } from '@/components/outcome-panel';
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Empty, EmptyContent, EmptyDescription, EmptyHeader, EmptyMedia, EmptyTitle } from '@/components/ui/empty';
import { ApiError } from '@/lib/errors';
import { type Group, Sample, Samples, useSay } from '../kit';

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

function EmptyStates() {
  const say = useSay();
  const title = say('No deals yet. The first line is yours.', 'এখনও ডিল নেই। প্রথম লাইনটি আপনার।');
  return (
    <Samples>
      <Sample of="picture, text, next step">
        <EmptyState
          picture={<EmptyStrip />}
          title={title}
          text={say('Agree a price, then open a deal.', 'দাম ঠিক করুন, তারপর ডিল খুলুন।')}
        >
          <Button>{say('Create deal', 'ডিল তৈরি করুন')}</Button>
        </EmptyState>
      </Sample>
      <Sample of="title alone">
        <EmptyState title={title} />
      </Sample>
    </Samples>
  );
}

const REFUSAL = new ApiError(422, { code: 'insufficient_balance', message: 'You do not have enough money.' });
const OFFLINE = ApiError.network(new Error('offline'));

const Failures = () => (
  <Samples>
    <Sample of="a refusal">
      <Failure error={REFUSAL} />
    </Sample>
    <Sample of="no connection, with advice">
      <Failure error={OFFLINE} />
    </Sample>
  </Samples>
);

function LoadFailures() {
  const [busy, setBusy] = useState(false);
  return (
    <Samples>
      <Sample of="Retry">
        <LoadFailed error={OFFLINE} busy={busy} said onRetry={() => setBusy(true)} />
      </Sample>
      <Sample of="busy">
        <LoadFailed error={new ApiError(503, {})} busy said onRetry={() => undefined} />
      </Sample>
    </Samples>
  );
}

/** Each takes the focus on mount, so it is mounted on request. */
function Outcomes() {
  const say = useSay();
  const [kind, setKind] = useState<'done' | 'bad'>();
  return (
    <Sample of='kind="done", kind="bad"; it takes the focus'>
      <div className="flex gap-3">
        <Button variant="outline" onClick={() => setKind('done')}>
          done
        </Button>
        <Button variant="outline" onClick={() => setKind('bad')}>
          bad
        </Button>
      </div>
      {kind ? (
        <OutcomePanel
          key={kind}
          kind={kind}
          title={kind === 'done' ? say('Sent', 'পাঠানো হয়েছে') : say('Not sent', 'পাঠানো যায়নি')}
          text={say('We answer within a day.', 'আমরা এক দিনের মধ্যে উত্তর দিই।')}
        >
          <Button variant="outline">{say('Back', 'ফিরে যান')}</Button>
        </OutcomePanel>
      ) : null}
    </Sample>
  );
}

export const messages: Group = {
  title: 'Messages',
  parts: {
    alert: Alerts,
    note: Notes,
    empty: Empties,
    'empty-state': EmptyStates,
    failure: Failures,
    'load-failed': LoadFailures,
    outcome: Outcomes,
  },
};
