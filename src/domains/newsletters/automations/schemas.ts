import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Etag,
  Id,
  Input,
  Known,
  Line,
  Name,
  Nullable,
  OneOf,
  Timestamp,
} from '../../../shared/schemas.ts';
import { FilterTree } from '../segments/schemas.ts';
import type { AutomationRow } from './queries.ts';
import { type PersonRow, RUN_REASONS, RUN_STATUSES } from './run-queries.ts';
import { STEP_TYPES } from './steps.ts';
import { REPEATS, TRIGGER_TYPES } from './triggers.ts';

const MAX_STEPS = 50;
const DAY_SECONDS = 86_400;
const MAX_DELAY = 366 * DAY_SECONDS;

const Delay = Type.Integer({
  minimum: 0,
  maximum: MAX_DELAY,
  description: 'How long to wait before this step, up to 366 days.',
  examples: [DAY_SECONDS],
});
const Tag = Line(50, { minLength: 1, examples: ['vip'] });

export const AutomationTrigger = Input({
  type: OneOf(TRIGGER_TYPES, { examples: ['subscription.confirmed'] }),
  collectionId: {
    ...Id,
    description:
      'The newsletter. Only its active subscribers enter. The emails in the automation are entries of this newsletter.',
  },
  productIds: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      description: 'For `order.paid`: only orders with one of these products.',
    }),
  ),
  categories: Type.Optional(
    Type.Array(Line(200, { minLength: 1, examples: ['Coffee'] }), {
      minItems: 1,
      maxItems: 100,
      description:
        'For `order.paid`: only orders with a product in one of these categories: category IDs, or values of `category` of products.',
    }),
  ),
  planId: Type.Optional({ ...ChosenId, description: 'For `plan.ended`: only this plan. Defaults to all paid plans.' }),
  planCollectionId: Type.Optional({ ...Id, description: 'For `plan.ended`: only plans of this newsletter.' }),
  idleSeconds: Type.Optional(
    Type.Integer({
      minimum: 600,
      maximum: 30 * DAY_SECONDS,
      description: 'For `cart.abandoned`: how many seconds the cart must be unchanged. Defaults to 3600.',
      examples: [3600],
    }),
  ),
  field: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description:
        "For `date`: the subscriber field that contains the date, as `YYYY-MM-DD`, or `MM-DD` if the year doesn't matter.",
      examples: ['birthday'],
    }),
  ),
  repeat: Type.Optional(
    OneOf(REPEATS, { description: 'For `date`: how often people enter. Defaults to `YEARLY`.', examples: ['YEARLY'] }),
  ),
  daysBefore: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 365,
      description: 'For `date`: people enter the automation this many days before the date. Defaults to 0.',
      examples: [0],
    }),
  ),
  hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: 'For `date`: the hour at which people enter, in the time zone of the business. Defaults to 9.',
      examples: [9],
    }),
  ),
  tag: Type.Optional({ ...Tag, description: 'For `tag.added`: the tag.' }),
});

const stepFields = {
  type: OneOf(STEP_TYPES, { examples: ['MAIL'] }),
  entryId: Type.Optional({ ...Id, description: 'For `MAIL`: an entry of the newsletter.' }),
  tag: Type.Optional({ ...Tag, description: 'For `TAG`: the tag to add.' }),
  remove: Type.Optional(Type.Boolean({ description: 'For `TAG`: remove the tag instead.' })),
  filter: Type.Optional({
    ...FilterTree,
    description: "For `CONDITION`: a segment filter. People who don't match exit the automation.",
  }),
};

export const AutomationStepInput = Input({
  id: Type.Optional(ChosenId),
  ...stepFields,
  delaySeconds: Type.Optional(Delay),
});
export const AutomationStep = Type.Object({
  id: {
    ...ChosenId,
    description: 'Keep the ID when you change a step, so that people in the automation keep their place.',
  },
  ...stepFields,
  delaySeconds: Delay,
});

const Enabled = Type.Boolean({
  description: 'If false, no one enters, and people in the automation wait at their current step.',
  examples: [true],
});
const StepsInput = Type.Array(AutomationStepInput, { maxItems: MAX_STEPS });

export const AutomationInput = Input({
  name: Name('Welcome'),
  enabled: Type.Optional(Enabled),
  trigger: AutomationTrigger,
  steps: Type.Optional(StepsInput),
});
export type AutomationInput = Static<typeof AutomationInput>;

export const AutomationChange = Input({
  name: Type.Optional(Name('Welcome')),
  enabled: Type.Optional(Enabled),
  trigger: Type.Optional(AutomationTrigger),
  steps: Type.Optional(StepsInput),
});
export type AutomationChange = Static<typeof AutomationChange>;

export const Automation = Type.Object({
  id: Id,
  name: Name('Welcome'),
  enabled: Enabled,
  trigger: AutomationTrigger,
  steps: Type.Array(AutomationStep),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Automation = Static<typeof Automation>;

export const automationOf = ({
  id,
  name,
  enabled,
  trigger,
  steps,
  createdAt,
  updatedAt,
}: AutomationRow): Automation => ({
  id,
  name,
  enabled,
  trigger,
  steps,
  createdAt,
  updatedAt,
});

const Count = Type.Integer({ examples: [12] });

export const ListedAutomation = Type.Object({
  ...Automation.properties,
  active: Type.Integer({ description: 'People in the automation now.', examples: [12] }),
  etag: Etag,
});
export type ListedAutomation = Static<typeof ListedAutomation>;

export const AutomationStepCounts = Type.Object({
  stepId: ChosenId,
  waiting: Type.Integer({ description: 'People who are waiting for this step.', examples: [12] }),
  done: Type.Integer({ description: 'People who completed the step.', examples: [12] }),
  exited: Type.Integer({ description: 'People who left at the step.', examples: [12] }),
  sent: Type.Integer({ description: 'Emails sent.', examples: [12] }),
  failed: Type.Integer({ description: 'Emails that could not be delivered.', examples: [12] }),
});

export const AutomationCounts = Type.Object({
  active: Count,
  completed: Count,
  exited: Count,
  steps: Type.Array(AutomationStepCounts),
});
export type AutomationCounts = Static<typeof AutomationCounts>;

export const PeopleQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(OneOf(RUN_STATUSES)) });
export type PeopleQuery = Static<typeof PeopleQuery>;

export const AutomationPerson = Type.Object({
  subscriptionId: Id,
  email: Type.String({ examples: ['ada@example.com'] }),
  status: Known(RUN_STATUSES, Type.String({ examples: ['ACTIVE'] })),
  reason: Nullable(Known(RUN_REASONS, Type.String({ description: 'Why the person left.', examples: ['CONDITION'] }))),
  stepId: Nullable({ ...ChosenId, description: 'The next step.' }),
  dueAt: Nullable({ ...Timestamp, description: 'When the next step is due.' }),
  enteredAt: Timestamp,
  updatedAt: Timestamp,
});
export type AutomationPerson = Static<typeof AutomationPerson>;

export const personOf = ({ occurrence: _, ...row }: PersonRow): AutomationPerson => row;

export const PersonParams = Type.Object({ businessId: BusinessId, id: Id, subscriptionId: Id });
