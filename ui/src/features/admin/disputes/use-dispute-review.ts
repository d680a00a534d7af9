import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DealDispute, DisputeSummary } from '@/api/contract';
import { disputeQuery, putDispute } from '@/entities/deal/dispute/queries';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { translate } from '@/i18n';
import { adminDisputes } from '@/i18n/en/admin-disputes';
import { api, idempotent, send } from '@/lib/api';
import { useAdminAction } from '../review/use-admin-action';
import { useClaim } from '../review/use-claim';
import type { Verdict } from './decide-dialog';
import { claimOf, putDisputeRow } from './queries';

type Options = { row: DisputeSummary; listed: boolean; keep: (row: DisputeSummary) => void };

/** The claim of a dispute, and the decisions on it and on its appeal. */
export function useDisputeReview({ row, listed, keep }: Options) {
  const queryClient = useQueryClient();
  const me = useMe()._id;
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const detail = useQuery(disputeQuery(row._id));
  const dispute = detail.data;
  const status = dispute?.status ?? row.status;
  const waits = status === 'open' || status === 'appealed';
  const party = row.buyer._id === me || row.seller._id === me;
  // Another admin decides on an appeal.
  const decidedBefore = status === 'appealed' && (dispute ?? row).decision?.by._id === me;
  const params = { path: { id: row._id } };
  const claim = useClaim(
    { _id: row._id, claim: claimOf(dispute ?? row), user: { _id: party ? me : '' }, status: waits ? 'pending' : status },
    {
      ...{ listed, settled: outcome !== null || decidedBefore, list: keys.adminDisputes },
      call: async () => {
        const answer = await send(api.POST('/admin/disputes/{id}/claim', { params }));
        keep(answer.dispute);
        putDispute(queryClient, answer.dispute);
        putDisputeRow(queryClient, answer.dispute);
        return answer;
      },
    },
  );
  const decide = useAdminAction<Verdict>({
    call: async (body, key) => {
      const options = { params, body, headers: idempotent(key) };
      const answer = await send(
        status === 'appealed'
          ? api.POST('/admin/disputes/{id}/appeal/decide', options)
          : api.POST('/admin/disputes/{id}/decide', options),
      );
      const { dispute: decided } = answer as { dispute?: DealDispute };
      if (decided) putDispute(queryClient, decided);
      return answer;
    },
    success: () => translate(adminDisputes, 'toast.decided'),
    failure: () => translate(adminDisputes, 'toast.failed'),
    list: keys.adminDisputes,
    row: row._id,
    onDone: () => setOutcome(translate(adminDisputes, status === 'appealed' ? 'outcome.final' : 'outcome.decided')),
    onRefused: setRefused,
  });
  const taken = claim.own || claim.others !== null || claim.refusal !== null || refused !== null || decidedBefore;
  return {
    detail,
    status,
    waits: waits && outcome === null && refused === null,
    party,
    decidedBefore,
    claim,
    outcome,
    refused,
    mayDecide: dispute !== undefined && waits && outcome === null && !taken && dispute.operation === undefined,
    busy: decide.isPending,
    decide: decide.runAsync,
  };
}
