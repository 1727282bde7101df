import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_GROUPS } from '../../admin/sections/settings/event-groups.ts';
import { de } from '../../admin/text/de/index.ts';
import { en } from '../../admin/text/en/index.ts';
import { ACCOUNT_EVENT_TYPES, EVENT_TYPES } from '../../src/shared/events.ts';

test('the admin has a name for every event, and offers every group of events for webhooks', () => {
  const offered = new Set(EVENT_GROUPS.map(([kind]) => kind));
  for (const [language, { settings }] of Object.entries({ en, de })) {
    for (const type of EVENT_TYPES) {
      const [kind, action] = type.split('.');
      assert.ok(offered.has(kind!), kind);
      assert.ok(`kind_${kind}` in settings && `did_${action}` in settings, `${type} has no name in "${language}"`);
    }
  }
});

test('the admin has a name for every account event except the deletion, which no one can see', () => {
  for (const [language, { account }] of Object.entries({ en, de })) {
    for (const type of ACCOUNT_EVENT_TYPES) {
      if (type === 'user.deleted') continue;
      assert.ok(`did_${type.split('.')[1]}` in account, `${type} has no name in "${language}"`);
    }
  }
});
