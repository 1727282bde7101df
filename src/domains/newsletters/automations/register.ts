import type { Platform } from '../../../context/index.ts';
import type { Events } from '../../events/index.ts';
import { handleSteps } from './advance.ts';
import { CLEAR_AUTOMATION } from './automations.ts';
import { storeSignals } from './fan-out.ts';
import { clearAutomation } from './people.ts';
import { handleSignals } from './process-signals.ts';
import { handleDates } from './scan-dates.ts';

/** Events become signals, signals start and end runs, and due runs take their next step. */
export function handleAutomations(platform: Platform, events: Events): void {
  events.onNumbered(storeSignals);
  handleSignals(platform);
  handleSteps(platform);
  handleDates(platform);
  platform.handleTasks<{ id: string }>({ name: CLEAR_AUTOMATION, handle: clearAutomation });
}
