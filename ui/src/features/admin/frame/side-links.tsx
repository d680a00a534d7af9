import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgeDollarSign,
  Bell,
  Bug,
  Flag,
  Handshake,
  Keyboard,
  LayoutDashboard,
  LifeBuoy,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Scale,
  ScrollText,
  Smartphone,
  SquarePen,
  Users,
} from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { type Key, useTexts } from '@/i18n';
import { admin, adminCorrections, adminFeedback, adminPayments } from '@/i18n/en/admin';
import { bdt, centsFromWire, count } from '@/lib/money';
import { waitingCorrectionsQuery } from '../corrections/queries';
import { dealsToDecideQuery, openSupportQuery } from '../deals/queries';
import { depositQueueQuery } from '../deposits/queries';
import { waitingDisputesQuery } from '../disputes/queries';
import { waitingReportsQuery } from '../reports/queries';
import { withdrawalQueueQuery } from '../withdrawals/queries';

const LINK =
  'group relative flex min-h-11 w-full items-center gap-3 py-2 pr-4 pl-5 text-start text-md min-[1200px]:pointer-fine:min-h-9 min-[1200px]:pointer-fine:py-1 whitespace-nowrap text-muted-foreground no-underline hover:bg-muted hover:text-foreground aria-[current=page]:bg-secondary aria-[current=page]:font-semibold aria-[current=page]:text-foreground aria-[current=page]:shadow-[inset_4px_0_0_var(--foreground)]';

function Waiting({ total }: { total: number | undefined }) {
  const t = useTexts(admin);
  if (!total) return null;
  return (
    <Badge
      variant="count"
      className="ml-auto group-aria-[current=page]:bg-pen group-aria-[current=page]:text-background"
      aria-label={t('waitingCount', { count: total })}
    >
      {count(total)}
    </Badge>
  );
}

type Place = {
  to:
    | '/admin/dashboard'
    | '/admin/deposit'
    | '/admin/withdrawal'
    | '/admin/deals'
    | '/admin/disputes'
    | '/admin/payments'
    | '/admin/corrections'
    | '/admin/support-requests'
    | '/admin/reports'
    | '/admin/users'
    | '/admin/chat'
    | '/admin/notifications'
    | '/admin/bug-reports'
    | '/admin/contact-messages'
    | '/admin/audit';
  icon: LucideIcon;
  name: string;
  waiting?: number | undefined;
};

type Group = { name: Extract<Key<typeof admin>, `group.${string}`> | null; places: Place[]; rate?: boolean };

function useGroups(): Group[] {
  const t = useTexts(admin);
  const tAdminFeedback = useTexts(adminFeedback);
  const tAdminCorrections = useTexts(adminCorrections);
  const tAdminPayments = useTexts(adminPayments);
  const { data: deposits } = useQuery(depositQueueQuery({}));
  const { data: withdrawals } = useQuery(withdrawalQueueQuery({}));
  const { data: toDecide } = useQuery(dealsToDecideQuery);
  const { data: disputes } = useQuery(waitingDisputesQuery);
  const { data: support } = useQuery(openSupportQuery);
  const { data: corrections } = useQuery(waitingCorrectionsQuery);
  const { data: reports } = useQuery(waitingReportsQuery);
  return [
    {
      name: null,
      places: [
        { to: '/admin/dashboard', icon: LayoutDashboard, name: t('dashboard') },
        { to: '/admin/notifications', icon: Bell, name: t('notifications') },
      ],
    },
    {
      name: 'group.worklists',
      places: [
        { to: '/admin/deposit', icon: ArrowDownToLine, name: t('deposits'), waiting: deposits?.total },
        { to: '/admin/withdrawal', icon: ArrowUpFromLine, name: t('withdrawals'), waiting: withdrawals?.total },
        { to: '/admin/deals', icon: Handshake, name: t('deals'), waiting: toDecide?.total },
        { to: '/admin/disputes', icon: Scale, name: t('disputes'), waiting: disputes?.total },
      ],
    },
    {
      name: 'group.people',
      places: [
        { to: '/admin/users', icon: Users, name: t('users') },
        { to: '/admin/chat', icon: MessagesSquare, name: t('chat') },
        { to: '/admin/reports', icon: Flag, name: t('reports'), waiting: reports?.total },
      ],
    },
    {
      name: 'group.money',
      places: [
        { to: '/admin/payments', icon: Smartphone, name: tAdminPayments('payments') },
        { to: '/admin/corrections', icon: SquarePen, name: tAdminCorrections('corrections'), waiting: corrections?.total },
        { to: '/admin/audit', icon: ScrollText, name: t('audit') },
      ],
      rate: true,
    },
    {
      name: 'group.inbox',
      places: [
        { to: '/admin/support-requests', icon: LifeBuoy, name: t('support'), waiting: support?.total },
        { to: '/admin/bug-reports', icon: Bug, name: tAdminFeedback('bugs') },
        { to: '/admin/contact-messages', icon: Mail, name: tAdminFeedback('contacts') },
      ],
    },
  ];
}

type Props = { onRate: () => void; onKeys: () => void; onLink?: () => void };

function RateButton({ onRate }: Pick<Props, 'onRate'>) {
  const t = useTexts(admin);
  const { data: rate } = useQuery(rateQuery);
  return (
    <button type="button" className={LINK} onClick={onRate}>
      <BadgeDollarSign aria-hidden="true" />
      <span>{t('rate')}</span>
      {rate ? <span className="ml-auto text-sm lining-nums tabular-nums">{bdt(centsFromWire(rate.usdToBdt))}</span> : null}
    </button>
  );
}

export function SideLinks({ onRate, onKeys, onLink }: Props) {
  const t = useTexts(admin);
  return (
    <>
      {useGroups().map(({ name, places, rate }) => (
        <div key={name} role="group" aria-label={name ? t(name) : t('area')} className="pb-3">
          {name ? <h2 className="px-5 pb-1 text-caption text-muted-foreground">{t(name)}</h2> : null}
          {places.map(({ to, icon: Icon, name, waiting }) => (
            <Link key={to} to={to} className={LINK} activeOptions={{ includeSearch: false }} onClick={onLink}>
              <Icon aria-hidden="true" />
              <span>{name}</span>
              <Waiting total={waiting} />
            </Link>
          ))}
          {rate ? <RateButton onRate={onRate} /> : null}
        </div>
      ))}
      <button type="button" className={LINK} onClick={onKeys}>
        <Keyboard aria-hidden="true" />
        <span>{t('keys.title')}</span>
      </button>
    </>
  );
}
