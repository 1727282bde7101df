import assert from 'node:assert/strict';
import test from 'node:test';
import type { ServiceError } from '../../src/shared/errors.ts';
import { compactPlanned, isSameRecord } from '../../src/shared/records/planned-fields.ts';
import { currentStatus, extendHistory, sentStatuses } from '../../src/shared/records/status-history.ts';
import { planStatuses } from '../../src/shared/records/status-schedule.ts';
import type { ScheduledStatus, StatusEntry, StatusInput } from '../../src/shared/records/status-schemas.ts';
import { type Caller, NO_FACTORS, type Permission } from '../../src/shared/security/caller.ts';

const NOW = 1_763_164_800;
const callerWith = (provider: string, ...permissions: Permission[]): Caller => ({
  userId: 'usr_me',
  provider,
  email: null,
  isGuest: false,
  isConfirmed: true,
  name: '',
  sessionId: null,
  keyId: null,
  factors: NO_FACTORS,
  permissions: new Map([['biz_1', new Set(permissions)]]),
});
const editor = callerWith('EMAIL', 'CATALOG_WRITE');
const admin = callerWith('EMAIL', 'ADMIN');
const apiKey = callerWith('API', 'CATALOG_WRITE');

const extend = (incoming: StatusInput[] | undefined, history: StatusEntry[] = [], caller = editor) =>
  extendHistory({
    history,
    incoming,
    allowed: ['DRAFT', 'ACTIVE'],
    initial: 'DRAFT',
    caller,
    businessId: 'biz_1',
    nowSeconds: NOW,
  });
const old: StatusEntry = { id: 'st_1', status: 'DRAFT', changedBy: 'USER', userId: 'usr_them', timestamp: NOW - 100 };

test('a new history starts with the initial status, and an existing one is kept if nothing is sent', () => {
  const [first, ...rest] = extend(undefined);
  assert.deepEqual(
    { ...first, id: null },
    { id: null, status: 'DRAFT', changedBy: 'USER', userId: 'usr_me', timestamp: NOW },
  );
  assert.deepEqual(rest, []);
  assert.deepEqual(extend(undefined, [old]), [old]);
  assert.deepEqual(extend([], [old]), [old]);
});

test('missing fields of an entry are filled in', () => {
  const [entry] = extend([{ status: 'ACTIVE' }]);
  assert.match(entry!.id, /^st_/);
  assert.deepEqual(
    { ...entry, id: null },
    { id: null, status: 'ACTIVE', changedBy: 'USER', userId: 'usr_me', timestamp: NOW },
  );
});

test('history can be appended to but not rewritten, shortened or reordered', () => {
  const rewritten = extend(
    [{ ...old, status: 'ACTIVE', userId: 'usr_me' } as StatusInput, { id: 'mine', status: 'ACTIVE' }],
    [old],
  );
  assert.deepEqual(rewritten[0], old);
  assert.equal(rewritten[1]!.id, 'mine');
  assert.equal(currentStatus(rewritten), 'ACTIVE');
  assert.deepEqual(
    extend([{ id: 'new', status: 'ACTIVE', timestamp: 1 }], [old]).map((entry) => entry.id),
    ['st_1', 'new'],
  );
  assert.equal(
    extend([
      { id: 'x', status: 'ACTIVE' },
      { id: 'x', status: 'DRAFT' },
    ]).length,
    1,
  );
});

test('only an ADMIN or an API key can set another user or the system', () => {
  const claim: StatusInput[] = [{ status: 'ACTIVE', changedBy: 'SYSTEM', userId: 'usr_them' }];
  const [mine] = extend(claim);
  assert.deepEqual([mine!.changedBy, mine!.userId], ['USER', 'usr_me']);
  for (const caller of [admin, apiKey]) {
    const [entry] = extend(claim, [], caller);
    assert.deepEqual([entry!.changedBy, entry!.userId], ['SYSTEM', 'usr_them']);
  }
  assert.equal('userId' in extend([{ status: 'ACTIVE', changedBy: 'SYSTEM' }], [], admin)[0]!, false);
});

test('unknown statuses and times more than five minutes ahead are rejected together', () => {
  extend([{ status: 'ACTIVE', timestamp: NOW + 300 }]);
  assert.throws(
    () => extend([{ status: 'GONE' }, { status: 'ACTIVE', timestamp: NOW + 301 }]),
    (error: ServiceError) => {
      assert.equal(error.kind, 'VALIDATION_FAILED');
      assert.deepEqual(
        error.details.map(({ field, error: code }) => [field, code]),
        [
          ['statuses[0].status', 'INVALID_VALUE'],
          ['statuses[1].timestamp', 'OUT_OF_RANGE'],
        ],
      );
      return true;
    },
  );
});

const plan = (incoming: StatusInput[] | undefined, rescheduled?: StatusInput[], scheduled: ScheduledStatus[] = []) =>
  planStatuses({
    history: [old],
    scheduled,
    incoming,
    rescheduled,
    allowed: ['DRAFT', 'ACTIVE'],
    initial: 'ACTIVE',
    live: 'ACTIVE',
    caller: editor,
    businessId: 'biz_1',
    nowSeconds: NOW,
  });
const later: ScheduledStatus = {
  id: 'st_2',
  status: 'ACTIVE',
  changedBy: 'USER',
  userId: 'usr_me',
  timestamp: NOW + 9,
};

test('a future status is scheduled; a known ID is kept; sending a list replaces the schedule', () => {
  const { statuses, scheduled } = plan([old as StatusInput, { status: 'ACTIVE', timestamp: NOW + 2 }]);
  assert.deepEqual([statuses.length, scheduled.map(({ timestamp }) => timestamp)], [1, [NOW + 2]]);
  assert.equal(plan([{ status: 'ACTIVE', timestamp: NOW + 1 }]).statuses.length, 2, 'a clock that is a second ahead');
  assert.deepEqual(plan([later as StatusInput], undefined, [later]).scheduled, [later]);
  assert.deepEqual(plan(undefined, [{ id: 'st_2', status: 'DRAFT', timestamp: 1 }], [later]).scheduled, [later]);
  assert.deepEqual(plan(undefined, [], [later]).scheduled, []);
  assert.throws(
    () => plan([{ status: 'GONE', timestamp: NOW + 9 }], [{ status: 'ACTIVE' }]),
    (error: ServiceError) => {
      assert.deepEqual(
        error.details.map(({ field, error: code }) => [field, code]),
        [
          ['statuses[0].status', 'INVALID_VALUE'],
          ['scheduled[0].timestamp', 'OUT_OF_RANGE'],
        ],
      );
      return true;
    },
  );
});

test('a record has both `scheduled` and `hasDraft`, or neither', () => {
  const record = { name: 'Cup', createdAt: 1, updatedAt: 2 };
  assert.deepEqual(compactPlanned({ ...record, scheduled: [], hasDraft: false }), record);
  assert.deepEqual(compactPlanned({ ...record, hasDraft: true }), { ...record, scheduled: [], hasDraft: true });
  assert.deepEqual(compactPlanned({ ...record, scheduled: [later] }), {
    ...record,
    scheduled: [later],
    hasDraft: false,
  });
});

test('two records are equal regardless of field order and when they were saved', () => {
  const record = { name: 'Cup', statuses: [old], createdAt: 1, updatedAt: 2 };
  const { name, ...rest } = record;
  assert.ok(isSameRecord(record, { ...rest, updatedAt: 9, scheduled: [], name } as typeof record));
  assert.ok(!isSameRecord(record, { ...record, name: 'Mug' }));
});

test('the length of a history is limited', () => {
  const long = Array.from({ length: 1000 }, (_, i) => ({ ...old, id: `st_${i}` }));
  assert.throws(() => extend([{ status: 'ACTIVE' }], long), { kind: 'VALIDATION_FAILED' });
});

test('on create, `status` is shorthand for `statuses`, which takes precedence if both are sent', () => {
  assert.deepEqual(sentStatuses({ status: 'DRAFT' }), [{ status: 'DRAFT' }]);
  assert.deepEqual(sentStatuses({ status: 'DRAFT', statuses: [{ status: 'ACTIVE' }] }), [{ status: 'ACTIVE' }]);
  assert.equal(sentStatuses({}), undefined);
});
