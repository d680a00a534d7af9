-- What went back to the buyer when the deal was refunded. The rules that decide it may change; what was posted does not.
alter table deals add column refunded_amount bigint;
update deals d set refunded_amount = p.amount
  from (select t.key, a.owner_id, sum(e.amount)::bigint as amount
          from ledger.transfers t
          join ledger.entries e on e.transfer_id = t.id
          join ledger.accounts a on a.id = e.account_id
         where t.kind = 'deal_refund' and a.kind = 'wallet' and a.currency = 'USD'
         group by t.key, a.owner_id) p
 where d.closed_at is not null and d.status <> 'Completed' and p.key = 'deal:' || d.id || ':close' and p.owner_id = d.buyer_id;
