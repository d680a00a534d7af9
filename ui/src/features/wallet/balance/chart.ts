import type { WalletHistory, WalletMovement } from '@/api/contract';
import { type Cents, centsFromWire } from '@/lib/money';
import { roundAbove } from '@/lib/round';

/** A chart in percent of its box: x from the left, y from the top. */
export type Chart = {
  line: string;
  ground: string;
  end: { x: number; y: number };
  rules: { y: number; cents: Cents }[];
  times: [number, number, number];
};

const EMPTY = 100_00;

/** The round sum at or above the highest balance, at least a dollar. */
export const ruleAbove = (cents: Cents): Cents => (cents <= 0 ? EMPTY : roundAbove(Math.max(cents, 100)));

const percent = (value: number): number => Math.round(value * 100) / 100;

/** The balance as steps at each movement. */
export function chartOf({ from, to, opening, movements, complete }: WalletHistory): Chart {
  const until = Date.parse(to);
  // If the oldest movements are omitted, the time before them is unknown.
  const since = Date.parse(complete ? from : (movements[0]?.at ?? from));
  const span = Math.max(1, until - since);
  const top = ruleAbove(Math.max(centsFromWire(opening), ...movements.map(({ balanceAfter }) => centsFromWire(balanceAfter))));
  const x = (moment: string) => percent(Math.min(100, Math.max(0, ((Date.parse(moment) - since) / span) * 100)));
  const y = (cents: Cents) => percent(100 - (cents / top) * 100);
  const start = y(centsFromWire(opening));
  const steps = movements.map(({ at, balanceAfter }) => `H${x(at)}V${y(centsFromWire(balanceAfter))}`);
  const line = `M0 ${start}${steps.join('')}H100`;
  const last = movements.at(-1);
  return {
    line,
    ground: `${line}V100H0Z`,
    end: { x: 100, y: last ? y(centsFromWire(last.balanceAfter)) : start },
    rules: [top, top / 2, 0].map((cents) => ({ y: y(cents), cents })),
    times: [since, since + span / 2, until],
  };
}

export type Summary = { first: Cents; last: Cents; incoming: Cents; outgoing: Cents; highest: Cents; lowest: Cents };

export function summaryOf({ opening, movements }: WalletHistory): Summary {
  const first = centsFromWire(opening);
  const balances = [first, ...movements.map(({ balanceAfter }) => centsFromWire(balanceAfter))];
  const sum = (list: readonly WalletMovement[]) => list.reduce((total, { amount }) => total + Math.abs(centsFromWire(amount)), 0);
  return {
    first,
    last: balances.at(-1) ?? first,
    incoming: sum(movements.filter(({ amount }) => amount > 0)),
    outgoing: sum(movements.filter(({ amount }) => amount < 0)),
    highest: Math.max(...balances),
    lowest: Math.min(...balances),
  };
}
