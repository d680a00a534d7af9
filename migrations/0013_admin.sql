-- What the admins' lists of people and of the audit log read.
create index users_created on users (created_at desc, id desc);
create index users_email_trgm on users using gin (lower(email) gin_trgm_ops);
create index audit_log_actor on audit_log (actor_id, id desc);
create index audit_log_subject on audit_log (subject, id desc);
create index audit_log_action on audit_log (action, id desc);
