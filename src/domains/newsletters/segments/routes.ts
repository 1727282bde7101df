import { change, command, query, queryOnce, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import {
  FilterInput,
  ListedSegment,
  Segment,
  SegmentChange,
  SegmentChoices,
  SegmentCount,
  SegmentInput,
  SegmentPerson,
  SegmentQuery,
} from './schemas.ts';
import {
  changeSegment,
  countSegment,
  countUnsaved,
  createSegment,
  deleteSegment,
  listSegmentChoices,
  listSegmentPeople,
  listSegments,
  readSegment,
} from './segments.ts';

const SEGMENTS = '/v1/businesses/:businessId/segments';
const tags = ['Newsletters'];

export function segmentRoutes(app: App): void {
  app.get(
    SEGMENTS,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'List segments',
        description: 'Returns the saved filters for subscribers and customers, newest first.',
        params: BusinessParams,
        querystring: SegmentQuery,
        response: { 200: PageOf(ListedSegment) },
      },
    },
    (request) => query(request, listSegments, request.query),
  );

  app.post(
    SEGMENTS,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        summary: 'Create a segment',
        params: BusinessParams,
        body: SegmentInput,
        response: { 200: Segment },
      },
    },
    (request) => command(request, createSegment, request.body),
  );

  app.post(
    `${SEGMENTS}/count`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'countPeople',
        summary: 'Count the people who match a filter',
        params: BusinessParams,
        body: FilterInput,
        response: { 200: SegmentCount },
      },
    },
    (request) => queryOnce(request, countUnsaved, request.body.filter),
  );

  app.get(
    `${SEGMENTS}/choices`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'listSegmentChoices',
        summary: 'List the tags and fields of your audience',
        description: 'Returns the tags and fields that subscribers and customers have, in alphabetical order.',
        params: BusinessParams,
        response: { 200: SegmentChoices },
      },
    },
    (request) => query(request, listSegmentChoices, undefined),
  );

  app.get(
    `${SEGMENTS}/:id`,
    {
      config: { access: 'SUBSCRIBER_READ', versioned: true },
      schema: { tags, summary: 'Get a segment', params: BusinessRecordParams, response: { 200: Segment } },
    },
    (request, reply) => readOne(request, reply, readSegment, request.params.id),
  );

  app.put(
    `${SEGMENTS}/:id`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Update a segment',
        description: "Scheduled sends use the segment's filter at the time they start.",
        params: BusinessRecordParams,
        body: SegmentChange,
        response: { 200: Segment },
      },
    },
    (request, reply) => change(request, reply, changeSegment, { id: request.params.id, change: request.body }),
  );

  app.delete(
    `${SEGMENTS}/:id`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a segment',
        description: 'Fails with 409 if a scheduled send uses it.',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteSegment, request.params.id),
  );

  app.get(
    `${SEGMENTS}/:id/count`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'countSegment',
        summary: 'Count the people in a segment',
        params: BusinessRecordParams,
        response: { 200: SegmentCount },
      },
    },
    (request) => query(request, countSegment, request.params.id),
  );

  app.get(
    `${SEGMENTS}/:id/people`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        operationId: 'listSegmentPeople',
        summary: 'List the people in a segment',
        description: 'Returns subscribers and customers, sorted by email.',
        params: BusinessRecordParams,
        querystring: SegmentQuery,
        response: { 200: PageOf(SegmentPerson) },
      },
    },
    (request) => query(request, listSegmentPeople, { ...request.query, id: request.params.id }),
  );
}
