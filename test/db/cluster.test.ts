import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coordinatorStatements } from '../../src/db/cluster/placement.ts';
import { isMissingPlanCache } from '../../src/db/connections.ts';

test('statements that use a coordinator table are recognized, but not those that contain its name elsewhere', () => {
  const isCoordinatorStatement = coordinatorStatements(['users', 'members', 'sessions']);
  for (const text of [
    'select name from users where id = $1',
    'select c.id from customers c left join users u on u.id = c.user_id',
    'select 1 from customers c, users u',
    'insert into "members" (business_id) values ($1)',
    'update sessions set used_at = $1',
    'with m as (select user_id from members) select id from invitations',
    'insert into jobs.job (name) values ($1)',
  ])
    assert.ok(isCoordinatorStatement(text), text);
  for (const text of [
    'select users from orders where business_id = $1',
    "select id from entries where business_id = $1 and data ->> 'members' = $2",
    'update orders set sessions = 1 where business_id = $1',
    'select id from user_sessions where business_id = $1',
  ])
    assert.ok(!isCoordinatorStatement(text), text);
});

test('versions of Citus without the local plan cache are recognized', () => {
  assert.deepEqual(
    ['13.0.4', '13.2.0', '13.2.1', '13.2.2', '14.0.0', '14.0.1', '14.0.2', '14.1.0'].map(isMissingPlanCache),
    [false, false, true, true, true, true, false, false],
  );
});
