import { EmptyStrip } from '@/components/empty-strip';
import { Facts, Section } from '@/components/section';
import { Table, TableBody, TableCell, TableFooter, TableHead, TableRow } from '@/components/ui/table';
import { Hold, HoldTaka } from '@/entities/deal/khata/hold';
import { HOLDERS, type Holder } from '@/entities/deal/khata/holder';
import { HolderCells, HolderHeader, HolderSums } from '@/entities/deal/khata/holder-cells';
import { Glyph, Strip } from '@/entities/deal/khata/strip';
import { StatusBadge } from '@/entities/deal/status-badge';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { type Group, Sample, Samples, useSay } from '../kit';

function Tri() {
  const say = useSay();
  return (
    <Sample of="where each deal's money is">
      <section className="overflow-x-auto" tabIndex={0} aria-label={say('Deals', 'ডিল')}>
        <Table className="[--tri:104px]">
          <HolderHeader>
            <TableHead scope="col">{say('Deal', 'ডিল')}</TableHead>
          </HolderHeader>
          <TableBody>
            {(['buyer', 'amanat', 'seller'] as const).map((holder) => (
              <TableRow key={holder}>
                <TableCell>Ranna Ghor 24</TableCell>
                <HolderCells holder={holder} sum={480_00} />
              </TableRow>
            ))}
          </TableBody>
          <TableFooter>
            <TableRow>
              <TableHead scope="row">{say('Sum', 'মোট')}</TableHead>
              <HolderSums sumOf={(holder) => (holder === 'buyer' ? null : '$480.00')} />
            </TableRow>
          </TableFooter>
        </Table>
      </section>
    </Sample>
  );
}

function Sections() {
  const say = useSay();
  const rows = [
    [say('You paid', 'আপনি দিয়েছেন'), '$480.00'],
    [say('Fee', 'ফি'), '$9.60'],
  ] as const;
  return (
    <Samples>
      <Sample of="Section, aside, Facts with a total">
        <Section title={say('Amounts', 'পরিমাণ')} aside={<a href="#section">{say('All', 'সব')}</a>}>
          <Facts rows={rows} total={[say('tanvir gets', 'tanvir পাবেন'), '$470.40']} />
        </Section>
      </Sample>
      <Sample of='size="small"'>
        <Section size="small" title={say('Amounts, small', 'পরিমাণ, ছোট')}>
          <Facts rows={rows} />
        </Section>
      </Sample>
    </Samples>
  );
}

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
    amanat: say('Paid on 12 November', '১২ নভেম্বর আমানতে জমা'),
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
    tri: Tri,
    section: Sections,
    'status-badge': Statuses,
  },
};
