-- When the member accepted the role: by accepting an invitation, logging in with the single sign-on of the business, or acting there. Null: an
-- ADMIN assigned it. Version 0.2 leaves it null, and the member's next request to the business sets it.
alter table members add column accepted_at bigint;
update members set accepted_at = used_at where used_at is not null;
