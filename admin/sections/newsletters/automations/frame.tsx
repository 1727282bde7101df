/** The pages of an automation: tabs, on and off, deletion. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { PageFrame } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { toast } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { AUTOMATIONS, OnBadge } from './list.tsx';

export const keyOf = (id: string) => `automation ${id}`;

export const useAutomation = (id: string | undefined) =>
  useLoad(`state of ${keyOf(id ?? '')}`, async (signal) =>
    id ? souk.newsletters.getAutomation(id, { signal }) : null,
  );

type Props = {
  /** Undefined for a new automation. */
  id: string | undefined;
  part: 'flow' | 'people';
  name: string;
  isChanged?: boolean;
  /** The automation was turned on or paused. */
  changed?: () => void;
  children: ComponentChildren;
};

export function AutomationFrame({ id, part, name, isChanged = false, changed, children }: Props) {
  const automation = useAutomation(id);
  const [isDeleting, setDeleting] = useState(false);
  const enabled = automation.data?.enabled ?? false;
  const turn = useAction(async () => {
    await souk.newsletters.updateAutomation(id!, { enabled: !enabled });
    forget(`list ${AUTOMATIONS}`);
    automation.reload();
    changed?.();
    toast(t(enabled ? 'automations.pausedToast' : 'automations.turnedOn'));
  });
  const remove = useAction(async () => {
    await souk.newsletters.deleteAutomation(id!);
    forget(`list ${AUTOMATIONS}`);
    toast(t('automations.deleted', { name }));
    navigate('/newsletters/automations');
  });
  const actions = id && automation.data && (
    <>
      <OnBadge enabled={enabled} />
      <button type="button" class="quiet" onClick={() => setDeleting(true)}>
        {t('parts.delete')}
      </button>
      <button
        type="button"
        class={enabled ? 'quiet' : ''}
        disabled={isChanged || turn.isBusy}
        title={isChanged ? t('automations.saveFirst') : undefined}
        onClick={() => turn.run()}
      >
        {t(enabled ? 'automations.pause' : 'automations.turnOn')}
      </button>
    </>
  );
  return (
    <PageFrame title={name} back="/newsletters/automations" actions={actions}>
      {id && can('SUBSCRIBER_READ') && (
        <Tabs
          label={t('automations.sections')}
          current={part}
          tabs={[
            ['flow', `/newsletters/automations/${id}`, t('automations.flow')],
            ['people', `/newsletters/automations/${id}/people`, t('automations.people')],
          ]}
        />
      )}
      <Problem error={turn.error} fields />
      <Problem error={remove.error} />
      {children}
      {isDeleting && (
        <Confirm
          title={t('automations.deleteTitle', { name })}
          text={t('automations.deleteText')}
          action={t('automations.delete')}
          run={() => remove.run()}
          close={() => setDeleting(false)}
        />
      )}
    </PageFrame>
  );
}
