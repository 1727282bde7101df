/** The trigger of an automation. */
import type { Collection } from '@souk/client';
import { SelectField, TagsField, TextField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { RecordField } from '../../../parts/records/picker.tsx';
import { locale, t } from '../../../text/index.ts';
import { DelayField } from './delay-field.tsx';
import { TRIGGERS, type Trigger, triggerHint, triggerText } from './describe.ts';

type Props = {
  value: Trigger;
  onInput: (trigger: Trigger) => void;
  newsletters: readonly Pick<Collection, 'id' | 'name' | 'plans'>[];
  problem: (field: string) => string | undefined;
};

export function TriggerFields({ value, onInput, newsletters, problem }: Props) {
  const set = (fields: Partial<Trigger>) => onInput({ ...value, ...fields });
  return (
    <>
      <SelectField
        label={t('automations.when')}
        hint={triggerHint(value.type)}
        value={value.type}
        options={TRIGGERS.map((type) => [type, triggerText(type)])}
        onInput={(type) => onInput({ type, collectionId: value.collectionId })}
      />
      <SelectField
        label={t('automations.newsletter')}
        hint={t('automations.newsletterHint')}
        value={value.collectionId}
        options={[
          ...(value.collectionId === '' ? [['', t('automations.chooseNewsletter')] as const] : []),
          ...newsletters.map(({ id, name }) => [id, name] as const),
        ]}
        onInput={(collectionId) => set({ collectionId })}
        problem={problem('trigger.collectionId')}
      />
      <OwnFields value={value} set={set} newsletters={newsletters} problem={problem} />
    </>
  );
}

type OwnProps = Omit<Props, 'onInput'> & { set: (fields: Partial<Trigger>) => void };

function OwnFields({ value, set, newsletters, problem }: OwnProps) {
  switch (value.type) {
    case 'order.paid':
      return (
        <>
          <RecordField
            label={t('automations.products')}
            hint={t('automations.productsHint')}
            target="PRODUCT"
            many
            value={value.productIds ?? []}
            onInput={(ids) => set({ productIds: ids })}
          />
          <TagsField
            label={t('automations.categories')}
            hint={t('automations.categoriesHint')}
            value={value.categories ?? []}
            onInput={(categories) => set({ categories })}
          />
        </>
      );
    case 'plan.ended':
      return <PlanField value={value} set={set} newsletters={newsletters} />;
    case 'cart.abandoned':
      return (
        <DelayField
          label={t('automations.idle')}
          value={value.idleSeconds ?? 3600}
          onInput={(idleSeconds) => set({ idleSeconds })}
          problem={problem('trigger.idleSeconds')}
        />
      );
    case 'tag.added':
      return (
        <TextField
          label={t('automations.tag')}
          required
          value={value.tag ?? ''}
          onInput={(tag) => set({ tag })}
          problem={problem('trigger.tag')}
        />
      );
    case 'date':
      return <DateFields value={value} set={set} problem={problem} />;
    default:
      return null;
  }
}

function PlanField({ value, set, newsletters }: Pick<OwnProps, 'value' | 'set' | 'newsletters'>) {
  const plans = newsletters.flatMap((newsletter) =>
    newsletter.plans
      .filter(({ price }) => (price?.amount ?? 0) > 0)
      .map((plan) => [`${newsletter.id}/${plan.id}`, `${newsletter.name}: ${plan.name}`] as const),
  );
  return (
    <SelectField
      label={t('automations.plan')}
      value={value.planId === undefined ? '' : `${value.planCollectionId ?? ''}/${value.planId}`}
      options={[['', t('automations.anyPlan')], ...plans]}
      onInput={(chosen) => {
        const [planCollectionId, planId] = chosen === '' ? [] : chosen.split('/');
        set({ planCollectionId, planId } as Partial<Trigger>);
      }}
    />
  );
}

function DateFields({ value, set, problem }: Pick<OwnProps, 'value' | 'set' | 'problem'>) {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const at = new Date(2000, 0, 1, hour);
    return [String(hour), new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(at)] as const;
  });
  return (
    <>
      <TextField
        label={t('automations.field')}
        required
        placeholder="birthday"
        value={value.field ?? ''}
        onInput={(field) => set({ field })}
        problem={problem('trigger.field')}
      />
      <SelectField
        label={t('automations.repeat')}
        value={value.repeat ?? 'YEARLY'}
        options={(['YEARLY', 'ONCE'] as const).map((each) => [each, t(`automations.${each}`)])}
        onInput={(repeat) => set({ repeat })}
      />
      <NumberField
        label={t('automations.daysBefore')}
        value={value.daysBefore ?? 0}
        onInput={(days) => set({ daysBefore: days ?? 0 })}
        problem={problem('trigger.daysBefore')}
      />
      <SelectField
        label={t('automations.hour')}
        value={String(value.hour ?? 9)}
        options={hours}
        onInput={(hour) => set({ hour: Number(hour) })}
      />
    </>
  );
}
