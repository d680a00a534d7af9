import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Adjustment } from '@/api/contract';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { adminAdjustments } from '@/i18n/en/admin-adjustments';
import { api, idempotent, send } from '@/lib/api';
import { centsFromWire } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { useAdminAction } from '../review/use-admin-action';
import { movedCents } from './adjustment-parts';
import { adjustmentQuery, putAdjustment } from './queries';

type Decision = { act: 'confirm' | 'withdraw' } | { act: 'reject'; reason: string };
const OUTCOMES = { confirm: 'outcome.confirmed', reject: 'outcome.rejected', withdraw: 'outcome.withdrawn' } as const;

export function useAdjustmentReview(row: Adjustment, keep: (row: Adjustment) => void) {
  const queryClient = useQueryClient();
  const me = useMe()._id;
  const now = useNow();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  // Refetches of the lists do not update a row that has left them.
  const shown = useQuery({ ...adjustmentQuery(row._id), initialData: row }).data;
  const params = { path: { id: row._id } };
  const decide = useAdminAction<Decision>({
    call: async (decision, key) => {
      const answer = await (decision.act === 'confirm'
        ? send(api.POST('/admin/adjustments/{id}/confirm', { params, headers: idempotent(key) }))
        : decision.act === 'reject'
          ? send(api.POST('/admin/adjustments/{id}/reject', { params, body: { reason: decision.reason } }))
          : send(api.POST('/admin/adjustments/{id}/withdraw', { params })));
      if ('adjustment' in answer) {
        keep(answer.adjustment);
        putAdjustment(queryClient, answer.adjustment);
      }
      return answer;
    },
    success: (_, { act }) => translate(adminAdjustments, act === 'confirm' ? 'toast.confirmed' : OUTCOMES[act]),
    failure: () => translate(adminAdjustments, 'toast.failed'),
    list: keys.adminAdjustments,
    row: row._id,
    onDone: (_, { act }) => setOutcome(translate(adminAdjustments, OUTCOMES[act], { name: row.user.username })),
    onRefused: setRefused,
  });
  const open = shown.status === 'open' && outcome === null && refused === null;
  const own = shown.user._id === me;
  const mine = shown.proposedBy?._id === me;
  const over = open && now >= Date.parse(shown.expiresAt);
  const after = centsFromWire(shown.balance) + movedCents(shown);
  const idle = open && shown.operation === undefined;
  return {
    shown,
    outcome,
    refused,
    open,
    own,
    mine,
    over,
    after,
    mayConfirm: idle && !own && !mine && !over && after >= 0,
    mayReject: idle && !own && !mine,
    mayWithdraw: idle && mine,
    busy: decide.isPending,
    decide: decide.runAsync,
  };
}
