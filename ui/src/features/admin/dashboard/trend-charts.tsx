import { Bar, BarChart, type BarShapeProps, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useTexts } from '@/i18n';
import { adminDashboard } from '@/i18n/en/admin';
import { formatTime, startOfDay } from '@/lib/time';
import { axisTicks, type Bucket, daysText, figure, shortFigure, type Unit } from './buckets';
import type { Trend } from './queries';

const HEIGHT = 176;
const WIDEST_BAR = 56;
const MARGIN = { top: 8, right: 2, bottom: 0, left: 2 };
const TICK = { fontSize: 12, fill: 'var(--muted-foreground)' };

type Hovered = { active?: boolean; payload?: readonly { payload?: unknown }[] };
type Props = { trend: Trend; unit: Unit; buckets: readonly Bucket[] };

function Tip({ active, payload, trend, unit }: Hovered & Omit<Props, 'buckets'>) {
  const t = useTexts(adminDashboard);
  const bucket = payload?.[0]?.payload as Bucket | undefined;
  if (!active || !bucket) return null;
  return (
    <div className="rounded-md border border-border-strong bg-background px-2.5 py-1.5 text-sm shadow-overlay">
      <span className="block text-muted-foreground">{daysText(unit, bucket, (from, to) => t('range', { from, to }))}</span>
      <b className="font-semibold lining-nums tabular-nums">{figure(trend, bucket[trend])}</b>
    </div>
  );
}

/**
 * A trend as bars, with the growing last one in ink. Decorative: the table beside it has the
 * figures. A chunk with the chart library, loaded after the paint.
 */
export default function TrendChart({ trend, unit, buckets }: Props) {
  const ticks = axisTicks(trend, Math.max(0, ...buckets.map((bucket) => bucket[trend])));
  return (
    <div className="tabular-nums">
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={[...buckets]} margin={MARGIN} barCategoryGap="18%" accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis
            dataKey="from"
            tickFormatter={(from: string) => formatTime(startOfDay(from), unit === 'month' ? 'monthName' : 'day')}
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: 'var(--foreground)' }}
            interval="equidistantPreserveStart"
            minTickGap={16}
          />
          <YAxis
            width="auto"
            tickFormatter={(value: number) => shortFigure(trend, value)}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            ticks={ticks}
            domain={[0, ticks.at(-1) ?? 0]}
          />
          <Tooltip
            content={(hovered) => <Tip active={hovered.active} payload={hovered.payload} trend={trend} unit={unit} />}
            cursor={{ fill: 'var(--pen-tint)' }}
            isAnimationActive={false}
          />
          <Bar
            dataKey={trend}
            maxBarSize={WIDEST_BAR}
            isAnimationActive={false}
            shape={({ x, y, width, height, index }: BarShapeProps) => (
              <rect
                data-slot="trend-bar"
                {...{ x, y, width, height }}
                className={index === buckets.length - 1 ? 'fill-foreground stroke-foreground' : 'fill-secondary stroke-input'}
              />
            )}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
