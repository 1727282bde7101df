/** An automation as a vertical flow: its trigger and its steps. */
import type { Automation, AutomationChange, AutomationInput } from '@souk/client';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { TextField } from '../../../parts/form/form.tsx';
import { forget, useLoad } from '../../../parts/load.ts';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { navigate } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import type { Step, Trigger } from './describe.ts';
import { Flow } from './flow.tsx';
import { AutomationFrame, keyOf } from './frame.tsx';
import { AUTOMATIONS } from './list.tsx';

type Values = { name: string; trigger: Trigger; steps: Step[] };

const MAX_NEWSLETTERS = 100;
const NEW: Values = { name: '', trigger: { type: 'subscription.confirmed', collectionId: '' }, steps: [] };

/** Leaves out empty fields, which mean any product or category. */
function tidy<V extends Partial<Values>>(values: V): V {
  if (!values.trigger) return values;
  const entries = Object.entries(values.trigger).filter(([, value]) => value !== '' && String(value ?? '') !== '');
  return { ...values, trigger: Object.fromEntries(entries) };
}

export default function AutomationPage({ id }: { id?: string }) {
  const newsletters = useLoad('newsletters of automations', (signal) =>
    souk.collections.list({ type: 'NEWSLETTER', limit: MAX_NEWSLETTERS }, { signal }).take(MAX_NEWSLETTERS),
  );
  const counts = useLoad(`automation counts ${id}`, async (signal) =>
    id ? souk.newsletters.countAutomation(id, { signal }) : null,
  );
  const version = ({ id: saved, name, trigger, steps, ...rest }: Automation & { etag?: string }) => ({
    values: { name, trigger, steps },
    etag: rest.etag,
    id: saved,
  });
  const record = useRecord<Values>({
    key: id ? keyOf(id) : 'automation new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.newsletters.getAutomation(id, { signal })) }
      : { initial: NEW }),
    save: async (changes, { ifMatch, values }) => {
      if (id) {
        const body = tidy(changes) as AutomationChange;
        return version(await souk.newsletters.updateAutomation(id, body, ifMatch ? { ifMatch } : {}));
      }
      const created = await souk.newsletters.createAutomation(tidy(values) as AutomationInput);
      return { ...version(created), key: keyOf(created.id) };
    },
    saved: (saved) => {
      forget(`list ${AUTOMATIONS}`);
      if (id) counts.reload();
      else navigate(`/newsletters/automations/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const { values } = record;
  const names = { name: t('automations.name'), trigger: t('automations.trigger'), steps: t('automations.steps') };
  return (
    <AutomationFrame
      id={id}
      part="flow"
      name={id ? (record.base?.name ?? t('automations.title')) : t('automations.new')}
      isChanged={record.isChanged}
      changed={() => void record.reload()}
    >
      <RecordNotices record={record} names={names} />
      {!values && !record.error && <SkeletonRows count={5} />}
      {values && (
        <>
          <div class="sheet flow-name">
            <TextField label={t('automations.name')} required {...record.bind('name')} />
          </div>
          <Flow
            trigger={values.trigger}
            steps={values.steps}
            newsletters={newsletters.data ?? []}
            counts={counts.data ?? undefined}
            problem={record.problem}
            setTrigger={(trigger) => record.set('trigger', trigger)}
            setSteps={(steps) => record.set('steps', steps)}
          />
          <SaveBar record={record} />
        </>
      )}
    </AutomationFrame>
  );
}
