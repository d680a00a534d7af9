package main

// mutants are faults that tests once missed. The rules of reconciliation and of privileges have
// tests that break each rule.
var mutants = []mutant{
	{
		name: "an admin completes their own deal",
		file: "internal/domain/deals/complete.go", old: "!isUser || d.IsParty(userID) {", new: "!isUser || d.IsParty(userID) && false {",
		pkg: "./internal/queue/workers", run: "TestRequestForce_own_deal",
	},
	{
		name: "an admin cancels their own deal",
		file: "internal/domain/deals/refund.go", old: "!isUser || d.IsParty(userID) {", new: "!isUser || d.IsParty(userID) && false {",
		pkg: "./internal/queue/workers", run: "TestRequestForce_own_deal",
	},
	{
		name: "a deal is paid although other terms are proposed",
		file: "internal/domain/deals/pay.go", old: "case d.CounterofferBy != nil:", new: "case false:",
		pkg: "./internal/domain/deals", run: "TestCounteroffer_open",
	},
	{
		name: "terms are paid that the buyer has not read",
		file: "internal/domain/deals/pay.go", old: "terms != AnyTerms && terms != d.TermsVersion", new: "false",
		pkg: "./internal/domain/deals", run: "TestCounteroffer_open",
	},
	{
		name: "a deal that is paid gets other terms",
		file: "migrations/functions/deal_apply_counteroffer.sql", old: " and d.status = 'Pending'", new: "",
		pkg: "./internal/queue/workers", run: "TestApplyCounteroffer_guards",
	},
	{
		name: "settling does not lock the deal",
		file: "internal/domain/deals/store.go",
		old:  "where id = any (@ids) order by id for update`",
		new:  "where id = any (@ids) order by id for key share`",
		pkg:  "./internal/queue/workers", run: "TestSettlePay_deal_declined_meanwhile|TestGroups_actor_disabled_meanwhile",
	},
	{
		name: "a change does not lock the deal",
		file: "internal/domain/deals/deliver.go",
		old:  "	d, err := lockDeal(ctx, tx, id, s.Clock.Now())",
		new:  "	d, err := getDeal(ctx, tx, id, s.Clock.Now())",
		pkg:  "./internal/queue/workers", run: "TestDeliver_waits_for_closing",
	},
	{
		name: "settling the clock's completion does not ask whether it is due",
		file: "internal/domain/deals/complete.go", old: "(d.buyerLocked() || !d.isDue(ActionComplete, s.Clock.Now()))", new: "d.buyerLocked()",
		pkg: "./internal/queue/workers", run: "TestSettler_sweep_operation_no_longer_due",
	},
	{
		name: "settling the clock's refund does not ask whether it is due",
		file: "internal/domain/deals/refund.go",
		old:  "reason == ReasonOverdue && !d.isDue(ActionRefund, now)",
		new:  "reason == ReasonOverdue && false",
		pkg:  "./internal/queue/workers", run: "TestSettler_sweep_operation_no_longer_due",
	},
	{
		name: "settling an unanswered request does not ask whether it is due",
		file: "internal/domain/deals/refund.go",
		old:  "reason == ReasonUnanswered && !d.isDue(ActionRefundUnanswered, now)",
		new:  "reason == ReasonUnanswered && false",
		pkg:  "./internal/queue/workers", run: "TestSettler_sweep_operation_no_longer_due",
	},
	{
		name: "settling a decision does not ask whether it is due",
		file: "internal/domain/deals/dispute_settle.go", old: "case !t.dispute.isDue(now):", new: "case false:",
		pkg: "./internal/queue/workers", run: "TestSettleDispute_refuses",
	},
	{
		name: "a party accepts their own offer",
		file: "internal/domain/deals/dispute_settle.go", old: "if t.offer.MadeBy == userID {", new: "if t.offer.MadeBy == userID && false {",
		pkg: "./internal/queue/workers", run: "TestSettleDispute_refuses",
	},
	{
		name: "the fee of a divided price is that of the whole",
		file: "internal/domain/deals/dispute.go", old: "fee := money.Fee(rest)", new: "fee := min(money.Fee(price), rest)",
		pkg: "./internal/domain/deals", run: "TestSplit",
	},
	{
		name: "an offer that was replaced is accepted",
		file: "internal/domain/deals/dispute_settle.go", old: "case t.offer.Status != OfferOpen:", new: "case false:",
		pkg: "./internal/queue/workers", run: "TestAcceptOffer",
	},
	{
		name: "a deal whose price mostly went back counts as completed",
		file: "migrations/functions/deal_counts.sql", old: "coalesce(2 * p_refunded, 0) <= p_price", new: "true",
		pkg: "./internal/queue/workers", run: "TestAcceptOffer_record",
	},
	{
		name: "the one who decided first decides the appeal",
		file: "internal/domain/deals/dispute_decide.go",
		old:  "x.Status == DisputeAppealed && x.Decision != nil && x.Decision.By.ID == admin",
		new:  "x.Status == DisputeAppealed && x.Decision != nil && x.Decision.By.ID == admin && false",
		pkg:  "./internal/queue/workers", run: "TestDecideDisputeAppeal",
	},
	{
		name: "the clock's action is due though the deal is frozen",
		file: "internal/domain/deals/clock.go", old: "d.NextAction != action || d.Frozen() ||", new: "d.NextAction != action ||",
		pkg: "./internal/queue/workers", run: "TestSettler_sweep_operation_no_longer_due",
	},
	{
		name: "other changes of a deal while an operation is pending",
		file: "internal/domain/deals/deliver.go", old: "	if err == nil && busy {", new: "	if err == nil && busy && false {",
		pkg: "./internal/queue/workers", run: "while_operation_pending",
	},
	{
		name: "a deposit is rejected while its approval is pending",
		file: "internal/domain/wallet/deposit_admin.go",
		old:  "	if err := checkNotBusy(ctx, tx, operations.Deposit(d.ID)); err != nil {\n		return err\n	}\n	d.Status", new: "	d.Status",
		pkg: "./internal/queue/workers", run: "TestErrBusy_pending_operation",
	},
	{
		name: "a deposit is retracted while its approval is pending",
		file: "internal/domain/wallet/deposit_owner.go",
		old:  "operations.Deposit(d.ID)); err != nil {", new: "operations.Deposit(d.ID)); err != nil && false {",
		pkg: "./internal/domain/wallet", run: "TestRetractDeposit_too_late",
	},
	{
		name: "a deposit is retracted while its credit waits for a second admin",
		file: "internal/domain/wallet/deposit_owner.go",
		old:  "	case d.Proposal != nil:", new: "	case d.Proposal != nil && false:",
		pkg: "./internal/domain/wallet", run: "TestRetractDeposit_too_late",
	},
	{
		name: "another request is told of the pending one",
		file: "internal/money/operations/store.go",
		old:  "and actor_id is not distinct from @actor and params = @params and status",
		new:  "and actor_id is not distinct from @actor and status",
		pkg:  "./internal/queue/workers", run: "TestErrBusy_pending_operation",
	},
	{
		name: "the sweep takes every job for alive",
		file: "internal/money/operations/store.go",
		old:  "        and (j.state in ('available', 'pending', 'retryable', 'scheduled')",
		new:  "        and (j.state <> 'running'",
		pkg:  "./internal/queue/workers", run: "TestOperationsSweep_ended_jobs",
	},
	{
		name: "a settled operation is settled again",
		file: "internal/queue/workers/settle.go", old: "op.Status == operations.Pending && op.Kind", new: "op.Kind",
		pkg: "./internal/queue/workers", run: "TestSettler_already_settled",
	},
	{
		name: "folds run side by side",
		file: "migrations/functions/ledger_fold.sql",
		old:  "  perform pg_advisory_xact_lock(hashtextextended('ledger.fold', 0)); -- one at a time\n",
		new:  "",
		pkg:  "./internal/money/ledger", run: "TestFold_concurrent",
	},
	{
		name: "sealing does not wait for transactions that have an id",
		file: "internal/money/chain/seal.go", old: "for len(before) > 0 {", new: "for false {",
		pkg: "./internal/money/chain", run: "TestSeal_late_commit",
	},
	{
		name: "a seal does not depend on the one before",
		file: "internal/money/chain/chain.go", old: "	h.Write(before)\n", new: "",
		pkg: "./internal/money/chain", run: "TestVerify_chained",
	},
	{
		name: "the clock moves money without a warning",
		file: "internal/domain/deals/clock.go", old: " && d.WarnedAt != nil && !now.Before(d.WarnedAt.Add(warnBefore))", new: "",
		pkg: "./internal/queue/workers", run: "TestSettleComplete_refuses_before_warning_day",
	},
	{
		name: "the clock pays a disabled person",
		file: "internal/domain/deals/clock.go", old: "!d.partyDisabled() && ", new: "",
		pkg: "./internal/queue/workers", run: "TestSettleComplete_refuses_outdated_sweep",
	},
	{
		name: "a withdrawal is claimed while it is being sent",
		file: "internal/domain/wallet/worklist.go",
		old:  "		if err := checkNotBusy(ctx, tx, l.subject(id)); err != nil {\n			return err\n		}\n", new: "",
		pkg: "./internal/queue/workers", run: "TestClaim_pending_operation",
	},
	{
		name: "one admin gives a large credit alone",
		file: "internal/domain/wallet/deposit_settle.go",
		old:  "	if err := s.checkSecondAdmin(ctx, tx, admin, p); err != nil {\n		return nil, err\n	}\n",
		new:  "",
		pkg:  "./internal/queue/workers", run: "TestSettleApprove_refuses_forged_params",
	},
	{
		name: "a failed deposit keeps its number",
		file: "migrations/0022_disputed_deposits.sql",
		old:  "on deposits (user_id, transaction_id) where status <> 'Failed'",
		new:  "on deposits (user_id, transaction_id)",
		pkg:  "./internal/queue/workers", run: "TestReportDeposit_after_rejection",
	},
	{
		name: "taka need not balance",
		file: "migrations/functions/ledger_check_balanced.sql", old: "where a.usd <> 0 or a.bdt <> 0\n", new: "where a.usd <> 0\n",
		pkg: "./internal/money/ledger", run: "TestEntries_balance_in_each_currency",
	},
	{
		name: "entries are added to a posted transfer",
		file: "migrations/functions/ledger_check_balanced.sql",
		old:  "\n      or a.n <> (select count(*) from ledger.entries e where e.transfer_id = a.transfer_id)", new: "",
		pkg: "./internal/money/ledger", run: "TestEntries_posted_transfer_is_closed",
	},
	{
		name: "a withdrawal is sent without a fresh password",
		file: "internal/api/withdrawals_admin.go",
		old:  `path: "/admin/withdrawals/{id}/send", tag: adminTag, access: reauthenticated`,
		new:  `path: "/admin/withdrawals/{id}/send", tag: adminTag, access: admin`,
		pkg:  "./internal/api", run: "TestAdmin_money_calls_need_fresh_password",
	},
	{
		name: "an answer of a pending operation is kept under its key",
		file: "internal/api/idempotent.go", old: "err == nil && answer.Pending == nil", new: "err == nil",
		pkg: "./internal/api", run: "TestIdempotent_pending_operation",
	},
	{
		name: "deals with disabled people",
		file: "internal/domain/deals/store.go", old: "and s.id = @seller and s.disabled_at is null", new: "and s.id = @seller",
		pkg: "./internal/queue/workers", run: "TestCreateDeal_disabled_seller",
	},
	{
		name: "group: a wallet falls below zero on the way",
		file: "migrations/functions/ledger_post_many.sql", old: "if v_balance < 0 or v_balance > c_most then", new: "if v_balance > c_most then",
		pkg: "./internal/money/ledger", run: "TestPostAtCommit",
	},
	{
		name: "group: accounts are locked in the order of the transfers",
		file: "migrations/functions/ledger_post_many.sql",
		old:  "order by n.kind collate \"C\", n.owner nulls first, n.currency collate \"C\", n.i", new: "order by n.i",
		pkg: "./internal/money/ledger", run: "TestPostAtCommit",
	},
	{
		name: "group: a failed member commits with the others",
		file: "internal/queue/workers/settle.go", old: "		if len(failed) > 0 {\n", new: "		if len(failed) > len(pending) {\n",
		pkg: "./internal/queue/workers", run: "TestGroups",
	},
	{
		name: "group: members that were not settled are taken for settled",
		file: "internal/queue/workers/groups.go", old: "turn{settled: slices.Contains(settled, m.task)}", new: "turn{settled: true}",
		pkg: "./internal/queue/workers", run: "TestGroups",
	},
	{
		name: "a request whose key is used is carried out again",
		file: "internal/money/operations/operations.go", old: "	case !free():\n", new: "	case !free() && op == nil:\n",
		pkg: "./internal/queue/workers", run: "TestRequestWithdraw_idempotency_key",
	},
}
