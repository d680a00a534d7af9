import { EmptyStrip } from '@/components/empty-strip';
import { Hold, HoldTaka } from '@/entities/deal/khata/hold';
import { HOLDERS, type Holder } from '@/entities/deal/khata/holder';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { Glyph, Strip } from '@/entities/deal/khata/strip';
import { StatusBadge } from '@/entities/deal/status-badge';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { type Group, Sample, Samples, useSay } from '../kit';

const DEALS = [
  'Pending',
  'Active',
  'Late',
  'Delivered',
  'Completed',
  'Cancelled',
  'Cancelled by Buyer',
  'Cancelled by Seller',
] as const;

function Holds() {
  const say = useSay();
  const notes: Record<Holder, string> = {
    buyer: say('Not paid yet', 'এখনও দেননি'),
    amanat: say('Paid on 12 November', '১২ নভেম্বর জমা'),
    seller: say('Fee $9.60', 'ফি $9.60'),
  };
  const hold = (holder: Holder, { returned = false, long = false } = {}) => {
    const sum = long ? '$48,000.00' : '$480.00';
    const note = (column: Holder) => (
      <>
        {column === holder ? notes[column] : null}
        {column === 'amanat' ? <HoldTaka>≈ ৳58,560</HoldTaka> : null}
      </>
    );
    return (
      <Hold
        holder={holder}
        returned={returned}
        buyer={{ name: 'nusrat', sum, note: note('buyer') }}
        amanat={{ sum, note: note('amanat') }}
        seller={{ name: 'a_username_of_thirty_characters', sum: long ? '$47,040.00' : '$470.40', note: note('seller') }}
      />
    );
  };
  return (
    <Samples className="grid-flow-row-dense">
      {HOLDERS.map((holder) => (
        <Sample key={holder} of={`holder="${holder}"`} wide={holder === 'amanat'}>
          {hold(holder)}
        </Sample>
      ))}
      <Sample of='holder="buyer", returned'>{hold('buyer', { returned: true })}</Sample>
      <Sample of="long sums">{hold('amanat', { long: true })}</Sample>
    </Samples>
  );
}

const Strips = () => (
  <Samples>
    {HOLDERS.map((holder) => (
      <Sample key={holder} of={`holder="${holder}"`}>
        <Strip holder={holder}>$480.00</Strip>
      </Sample>
    ))}
    <Sample of="names">
      <Strip holder="amanat" names={['nusrat', 'a_username_of_thirty_characters']}>
        $480.00
      </Strip>
    </Sample>
    <Sample of="returned">
      <Strip holder="buyer" returned>
        $470.40
      </Strip>
    </Sample>
    <Sample of="EmptyStrip">
      <EmptyStrip className="border-t" />
    </Sample>
    <Sample of="Glyph" row>
      {HOLDERS.map((holder) => (
        <Glyph key={holder} holder={holder} />
      ))}
    </Sample>
  </Samples>
);

function Ledgers() {
  const say = useSay();
  const lines: LedgerLine[] = [
    { key: '1', when: say('8 Nov', '৮ নভে'), what: say('Agreed', 'সম্মত'), holds: { holder: 'buyer', sum: '480.00' } },
    {
      key: '2',
      when: say('12 Nov', '১২ নভে'),
      what: say('Paid into trust', 'আমানতে জমা'),
      detail: say('From nusrat’s balance', 'nusrat-এর ব্যালেন্স থেকে'),
      note: say('Please send all the episodes.', 'সব পর্ব পাঠাবেন।'),
      holds: { holder: 'amanat', sum: '480.00' },
    },
    {
      key: '3',
      when: say('by 26 Nov', '২৬ নভেম্বরের মধ্যে'),
      what: say('Released', 'ছাড়া হবে'),
      holds: { holder: 'seller', sum: '470.40' },
      fee: '9.60',
      future: true,
    },
  ];
  return (
    <Samples>
      <Sample of="lines" wide>
        <LedgerLines lines={lines} label={say('The life of the deal', 'ডিলের জীবন')} />
      </Sample>
      <Sample of="big" wide>
        <LedgerLines big lines={lines} label={say('The life of the deal, large', 'ডিলের জীবন, বড়')} />
      </Sample>
    </Samples>
  );
}

const Statuses = () => (
  <Samples>
    <Sample of="StatusBadge" row wide>
      {DEALS.map((status) => (
        <StatusBadge key={status} status={status} />
      ))}
    </Sample>
    <Sample of="RequestBadge" row>
      {(['pending', 'completed', 'failed'] as const).map((status) => (
        <RequestBadge key={status} status={status} />
      ))}
    </Sample>
  </Samples>
);

export const khata: Group = {
  title: 'Khata',
  parts: {
    hold: Holds,
    strip: Strips,
    ledger: Ledgers,
    'status-badge': Statuses,
  },
};
