import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminCase } from '@/api/contract';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { adminReports } from '@/i18n/en/admin-reports';
import { api, idempotent, send } from '@/lib/api';
import { outcomeText } from '@/lib/outcomes';
import { useAdminAction } from '../review/use-admin-action';
import { useClaim } from '../review/use-claim';
import { claimOf, putCase } from './queries';

type Action = 'dismiss' | 'warn' | 'hide' | 'suspend' | 'ban';
export type Verdict = { action: Action; reason: string; days?: number };
type Answer = { overturn: boolean; answer: string };

type Options = { row: AdminCase; listed: boolean; keep: (row: AdminCase) => void };

/** The claim of a case, its decision, and the answer to its appeal. */
export function useCaseReview({ row, listed, keep }: Options) {
  const queryClient = useQueryClient();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const params = { path: { id: row._id } };
  const waits = row.status === 'open' || row.status === 'appealed';
  const take = <A extends { case: AdminCase }>(answer: A): A => {
    keep(answer.case);
    putCase(queryClient, answer.case);
    return answer;
  };
  const claim = useClaim(
    { _id: row._id, claim: claimOf(row), user: row.accused, status: waits ? 'pending' : row.status },
    {
      ...{ listed, settled: outcome !== null, list: keys.adminReports },
      call: () => send(api.POST('/admin/reports/{id}/claim', { params })).then(take),
    },
  );
  const common = {
    failure: () => translate(adminReports, 'toast.failed'),
    list: keys.adminReports,
    row: row._id,
    onRefused: setRefused,
  };
  const decide = useAdminAction<Verdict>({
    ...common,
    call: (body, key) => send(api.POST('/admin/reports/{id}/decide', { params, body, headers: idempotent(key) })).then(take),
    success: (done) => outcomeText(done, translate(adminReports, 'toast.decided')),
    onDone: () => setOutcome(translate(adminReports, 'outcome.decided')),
  });
  const answer = useAdminAction<Answer>({
    ...common,
    call: (body, key) => send(api.POST('/admin/reports/{id}/appeal', { params, body, headers: idempotent(key) })).then(take),
    success: (done) => outcomeText(done, translate(adminReports, 'toast.appeal')),
    onDone: () => setOutcome(translate(adminReports, 'outcome.appeal', { name: row.accused.username })),
  });
  const taken = claim.own || claim.others !== null || claim.refusal !== null || refused !== null;
  return {
    claim,
    outcome,
    refused,
    waits: waits && outcome === null && refused === null,
    mayAct: waits && outcome === null && !taken,
    busy: decide.phase !== 'idle' || answer.phase !== 'idle',
    decide: decide.run,
    answer: answer.run,
  };
}
