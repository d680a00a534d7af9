import { Badge } from '@/components/ui/badge';
import { Kbd } from '@/components/ui/kbd';
import { Table, TableBody, TableCaption, TableCell, TableFooter, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { HolderCells, HolderHeads, HolderSums } from '@/entities/deal/khata/holder-cells';
import { type Group, Sample, useSay } from '../kit';

const BADGES = [
  ['default', 'secondary', 'destructive', 'outline', 'count'],
  ['pending', 'active', 'late', 'delivered', 'completed', 'cancelled', 'failed'],
] as const;

function Tables() {
  const say = useSay();
  const rows = [
    ['1', say('Deposit, bKash', 'জমা, বিকাশ'), '+ 186.00'],
    ['2', say('Withdrawal, Nagad', 'উত্তোলন, নগদ'), '− 60.00'],
    [
      '3',
      say(
        'Payment for a cooking channel with 41,200 subscribers, two playlists and a shop of its own',
        '৪১,২০০ গ্রাহক, দুটি প্লেলিস্ট ও নিজস্ব দোকানসহ একটি রান্নার চ্যানেলের মূল্য',
      ),
      '− 480.00',
    ],
  ];
  return (
    <Sample of="head, cells, long text, figures at the end, footer, caption">
      <Table>
        <TableCaption className="caption-bottom pt-2 text-start">{say('November', 'নভেম্বর')}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead scope="col">{say('No.', 'নং')}</TableHead>
            <TableHead scope="col">{say('What', 'কী')}</TableHead>
            <TableHead scope="col" end>
              USD
            </TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.map(([no, what, sum]) => (
            <TableRow key={no}>
              <TableCell>{no}</TableCell>
              <TableCell>{what}</TableCell>
              <TableCell end className="whitespace-nowrap tabular-nums">
                {sum}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow>
            <TableHead scope="row" colSpan={2}>
              {say('Sum', 'মোট')}
            </TableHead>
            <TableCell end className="whitespace-nowrap tabular-nums">
              − 354.00
            </TableCell>
          </TableRow>
        </TableFooter>
      </Table>
    </Sample>
  );
}

function Tri() {
  const say = useSay();
  return (
    <Sample of="where each deal's money is">
      <section className="overflow-x-auto" tabIndex={0} aria-label={say('Deals', 'ডিল')}>
        <Table className="[--tri:104px]">
          <TableHeader>
            <TableRow>
              <TableHead scope="col">{say('Deal', 'ডিল')}</TableHead>
              <HolderHeads />
            </TableRow>
          </TableHeader>
          <TableBody>
            {(['buyer', 'amanat', 'seller'] as const).map((holder) => (
              <TableRow key={holder}>
                <TableCell>Ranna Ghor 24</TableCell>
                <HolderCells holder={holder} sum="$480.00" />
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

const Badges = () =>
  BADGES.map((variants) => (
    <Sample key={variants[0]} of={`variant="${variants.join(', ')}"`} row className="not-first:mt-6">
      {variants.map((variant) => (
        <Badge key={variant} variant={variant}>
          {variant === 'count' ? 12 : variant}
        </Badge>
      ))}
    </Sample>
  ));

const Keys = () => (
  <Sample of="one, two" row>
    <span>
      <Kbd>Esc</Kbd>
    </span>
    <span>
      <Kbd>Ctrl</Kbd>
      <Kbd>Enter</Kbd>
    </span>
  </Sample>
);

export const tables: Group = { title: 'Tables and tags', parts: { table: Tables, tri: Tri, badge: Badges, kbd: Keys } };
