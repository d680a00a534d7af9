import {
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUpFromLine,
  Bell,
  Gift,
  Handshake,
  type LucideIcon,
  ShieldCheck,
  Star,
} from 'lucide-react';
import type { Holder } from '@/entities/deal/khata/holder';
import { Glyph } from '@/entities/deal/khata/strip';

/** The kinds of a deal's notices after which the money is, or still is, with its buyer or its seller; after all others Amanat has it. */
const BUYER =
  /^deal_(?:offered|offered_to_seller|declined|declined_paid|withdrawn|expired|expires_soon|cancel_accepted|unanswered|seller_cancelled|buyer_left|seller_disabled|overdue|admin_cancelled)$/;
const SELLER = /^(?:deal_(?:completed|admin_completed|clock_completed)|release_made)$/;

/** What moves no money, or divides it, is drawn without a place for it. */
const ICONS: readonly [prefix: string, icon: LucideIcon][] = [
  ['deal_accepted', Handshake],
  ['deal_counteroffer_accepted', Handshake],
  ['deal_counteroffer', ArrowLeftRight],
  ['deal_dispute_settled', Handshake],
  ['deposit_', ArrowDownToLine],
  ['withdrawal_', ArrowUpFromLine],
  ['referral_', Gift],
  ['review_', Star],
  ['admin_', ShieldCheck],
];

function holderAfter(kind: string): Holder {
  if (BUYER.test(kind)) return 'buyer';
  return SELLER.test(kind) ? 'seller' : 'amanat';
}

/** What a notification is of: for a deal where the money is, else an icon. */
export function NotificationPicture({ kind }: { kind: string }) {
  const known = ICONS.find(([prefix]) => kind.startsWith(prefix))?.[1];
  if (!known && /^(?:deal_|(?:payment|release)_made$)/.test(kind)) return <Glyph holder={holderAfter(kind)} />;
  const Icon = known ?? Bell;
  return <Icon />;
}
