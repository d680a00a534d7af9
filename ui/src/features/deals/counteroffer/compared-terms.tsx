import type { ReactNode } from 'react';
import type { Counteroffer } from '@/api/contract';
import { Table, TableBody, TableCaption, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { counteroffer as catalogue } from '@/i18n/en/counteroffer';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import type { DealView } from '../deal-view';
import { type Piece, wordDiff } from './word-diff';

function Old({ children }: { children: ReactNode }) {
  return <del className="text-muted-foreground">{children}</del>;
}

function New({ children }: { children: ReactNode }) {
  return <ins className="bg-pen-tint box-decoration-clone px-1 font-semibold no-underline">{children}</ins>;
}

type RowProps = { label: string; now: string; proposed: string };

function Row({ label, now, proposed }: RowProps) {
  const same = now === proposed;
  return (
    <TableRow>
      <th scope="row" className="border-b py-2.5 pr-3 text-start font-normal text-muted-foreground in-[tbody>tr:hover]:bg-muted">
        {label}
      </th>
      <TableCell className="py-2.5 tabular-nums">{same ? now : <Old>{now}</Old>}</TableCell>
      <TableCell className="py-2.5 tabular-nums">{same ? proposed : <New>{proposed}</New>}</TableCell>
    </TableRow>
  );
}

type TextProps = { title: string; pieces: readonly Piece[]; mark: typeof Old };

function Description({ title, pieces, mark: Mark }: TextProps) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm text-muted-foreground">{title}</h3>
      <p className="mt-1 max-w-measure overflow-clip whitespace-pre-line">
        {pieces.map(({ text, changed }, index) => (changed ? <Mark key={index}>{text}</Mark> : text))}
      </p>
    </div>
  );
}

function Descriptions({ now, proposed }: { now: string; proposed: string }) {
  const t = useTexts(catalogue);
  if (now === proposed) return <p className="text-sm text-muted-foreground">{t('description.same')}</p>;
  const { before, after } = wordDiff(now, proposed);
  return (
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
      <Description title={t('description.now')} pieces={before} mark={Old} />
      <Description title={t('description.proposed')} pieces={after} mark={New} />
    </div>
  );
}

export function ComparedTerms({ view: { deal, side }, offer }: { view: DealView; offer: Counteroffer }) {
  const t = useTexts(catalogue);
  const tDeals = useTexts(deals);
  const days = (count: number) => t('days', { count });
  const sum = (wire: number) => usd(centsFromWire(wire));
  return (
    <div className="grid min-w-0 gap-4">
      <Table>
        <TableCaption className="sr-only">{t('table')}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead scope="col">
              <span className="sr-only">{t('term')}</span>
            </TableHead>
            <TableHead scope="col">{t('now')}</TableHead>
            <TableHead scope="col">{t('proposed')}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          <Row label={tDeals('price.label')} now={sum(deal.price)} proposed={sum(offer.price)} />
          {side === 'seller' ? <Row label={tDeals('money.youGet')} now={sum(deal.payout)} proposed={sum(offer.payout)} /> : null}
          <Row label={t('delivery')} now={days(deal.deliveryDuration)} proposed={days(offer.deliveryDuration)} />
          <Row label={tDeals('check.label')} now={days(deal.inspectionDays)} proposed={days(offer.inspectionDays)} />
        </TableBody>
      </Table>
      <Descriptions now={deal.description} proposed={offer.description} />
    </div>
  );
}
