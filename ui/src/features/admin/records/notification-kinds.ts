import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Bell,
  Bug,
  Flag,
  GitCompareArrows,
  Handshake,
  LifeBuoy,
  type LucideIcon,
  Mail,
  Scale,
  ShieldCheck,
  ShieldOff,
  SquarePen,
  UserCheck,
} from 'lucide-react';
import type { Key } from '@/i18n';
import type { adminRecords } from '@/i18n/en/admin-records';

const KINDS = {
  admin_deposit: { text: 'kind.deposit', icon: ArrowDownToLine },
  admin_deposit_disputed: { text: 'kind.disputed', icon: GitCompareArrows },
  admin_credit: { text: 'kind.credit', icon: UserCheck },
  admin_withdrawal: { text: 'kind.withdrawal', icon: ArrowUpFromLine },
  admin_adjustment: { text: 'kind.adjustment', icon: SquarePen },
  admin_adjustment_operator: { text: 'kind.adjustment', icon: SquarePen },
  admin_report: { text: 'kind.report', icon: Flag },
  admin_appeal: { text: 'kind.appeal', icon: Scale },
  admin_dispute: { text: 'kind.dispute', icon: Scale },
  admin_dispute_appeal: { text: 'kind.disputeAppeal', icon: Scale },
  admin_support: { text: 'kind.support', icon: LifeBuoy },
  admin_suspended: { text: 'kind.suspended', icon: Handshake },
  admin_escalated: { text: 'kind.escalated', icon: Handshake },
  admin_bug_report: { text: 'kind.bug', icon: Bug },
  admin_contact: { text: 'kind.contact', icon: Mail },
  admin_granted: { text: 'kind.granted', icon: ShieldCheck },
  admin_revoked: { text: 'kind.revoked', icon: ShieldOff },
  admin_visitor_bug_report: { text: 'kind.bug', icon: Bug },
  admin_visitor_contact: { text: 'kind.contact', icon: Mail },
} as const satisfies Record<string, { text: Key<typeof adminRecords>; icon: LucideIcon }>;

/** Unknown types only have the server's text. */
export const OTHER_KIND = { text: 'kind.other', icon: Bell } as const;

export function kindOf(type: string) {
  return type in KINDS ? KINDS[type as keyof typeof KINDS] : OTHER_KIND;
}
