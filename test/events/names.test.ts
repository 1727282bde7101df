import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_GROUPS } from '../../admin/sections/settings/event-groups.ts';
import { de } from '../../admin/text/de/index.ts';
import { en } from '../../admin/text/en/index.ts';
import { EVENT_TYPES } from '../../src/shared/events.ts';

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
