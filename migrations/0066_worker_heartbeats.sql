-- Which worker processes live, so that the operations of one that died are settled by another. The
-- id is that of its River client, the last one in river_job.attempted_by. It is a logged table: the
-- row of a worker that dies together with the server must outlive both.
create table worker_heartbeats (
  id      text primary key,
  seen_at timestamptz not null
);
