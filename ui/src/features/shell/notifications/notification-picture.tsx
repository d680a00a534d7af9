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

/** After these kinds the buyer or seller has the money; after all others of a deal, Amanat. */
const BUYER =
  /^deal_(?:offered|offered_to_seller|declined|declined_paid|withdrawn|expired|expires_soon|cancel_accepted|unanswered|seller_cancelled|buyer_left|seller_disabled|overdue|admin_cancelled)$/;
const SELLER = /^(?:deal_(?:completed|admin_completed|clock_completed)|release_made)$/;

/** Kinds without a single holder have an icon. */
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

export function NotificationPicture({ kind }: { kind: string }) {
  const known = ICONS.find(([prefix]) => kind.startsWith(prefix))?.[1];
  if (!known && /^(?:deal_|(?:payment|release)_made$)/.test(kind)) return <Glyph holder={holderAfter(kind)} />;
  const Icon = known ?? Bell;
  return <Icon />;
}
