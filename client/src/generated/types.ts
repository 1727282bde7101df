/** Made by `npm run client` from docs/openapi.json. */

export type AccountErasure = {
  id: string;
  status: "RUNNING" | "DONE";
  report: ErasureReport;
  /** Unix time in seconds. */
  createdAt: number;
  completedAt: number | null;
};

export type AccountEvent = {
  id: string;
  type: string;
  actor: {
    type: "USER" | "API_KEY" | "SYSTEM";
    userId?: string;
    keyId?: string;
    /** The `x-request-id` of the request that caused it. */
    requestId?: string;
  };
  address: string | null;
  data: unknown;
  /** Unix time in seconds. */
  createdAt: number;
};

export type AccountEventPage = {
  items: AccountEvent[];
  cursor: string | null;
};

export type AddSubscriberInput = {
  email: string;
  planId?: string;
  plan_id?: string;
  /** For {{subscriber.name}}: one line, without a web address. */
  name?: string;
  consent: {
    /** Where and how they agreed. */
    source: string;
    /** Unix time in seconds. */
    at: number;
  };
};

export type Address = {
  street?: string;
  city?: string;
  state?: string;
  zip?: string;
  country?: string;
};

export type AdjustInput = {
  /** By how much the quantity changes. It never falls below 0. */
  adjust: number;
};

export type Adjusted = {
  success: boolean;
  inventory: Inventory;
};

export type ApiToken = {
  id: string;
  name: string;
  /** Masked, except once for one that the service has made. */
  value: string;
  provider: string;
  /** Unix time in seconds. */
  expiresAt?: number;
  /** Unix time in seconds. */
  lastUsedAt?: number;
};

export type ApiTokenInput = {
  id?: string;
  name?: string;
  /** 12 to 256 visible characters, 8 of them different. The masked value keeps the key; left out, the service makes one and shows it this once. */
  value?: string;
  provider?: "API";
  expiresAt?: number | null;
};

export type AuditEntry = {
  id: string;
  type: string;
  entity: string;
  actor: {
    type: "USER" | "API_KEY" | "SYSTEM";
    userId?: string;
    keyId?: string;
    /** The `x-request-id` of the request that caused it. */
    requestId?: string;
  };
  actorName: string | null;
  address: string | null;
  changes: Record<string, unknown> | null;
  /** Unix time in seconds. */
  createdAt: number;
};

export type AuditEntryPage = {
  items: AuditEntry[];
  cursor: string | null;
};

export type AuthResult = {
  userId: string;
  provider: string;
  accessToken: string;
  refreshToken: string;
  tokenType: string;
  /** Unix time in seconds. */
  expiresAt: number;
  scope: string;
  isGuest: boolean;
};

export type Billing = {
  planId: string;
  status: "ACTIVE" | "PAST_DUE" | "ENDED";
  /** Minor units (cents). */
  amount: number;
  currency: string;
  interval: "WEEKLY" | "MONTHLY" | "YEARLY";
  provider: "SANDBOX" | "STRIPE";
  /** Unix time in seconds. */
  paidUntil: number;
  /** It ends then, instead of renewing. */
  cancelAtPeriodEnd: boolean;
  /** The last ones, newest first. */
  charges: Charge[];
};

export type Block = {
  id: string;
  type: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "RELATIONSHIP" | "GEO_LOCATION" | "MEDIA" | "SELECT" | "MULTI_SELECT";
  label?: string;
  required?: boolean;
  /** TEXT: minLength, maxLength, variant (PLAIN or HTML). NUMBER: min, max, integer. RELATIONSHIP: targetType (any record of the business without it), many. SELECT and MULTI_SELECT: options. */
  settings?: Record<string, unknown>;
  /** TEXT: a string, or an object of strings by locale. NUMBER: a number. BOOLEAN: a boolean. DATE: Unix seconds. RELATIONSHIP: an id, or ids with settings.many. GEO_LOCATION: {latitude, longitude}. MEDIA: a media item, the id of one in the media library, or an array of them. SELECT: an option. MULTI_SELECT: options. Null: empty. */
  value?: unknown;
};

export type BlockDefinition = {
  id: string;
  type: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "RELATIONSHIP" | "GEO_LOCATION" | "MEDIA" | "SELECT" | "MULTI_SELECT";
  label?: string;
  required?: boolean;
  /** TEXT: minLength, maxLength, variant (PLAIN or HTML). NUMBER: min, max, integer. RELATIONSHIP: targetType (any record of the business without it), many. SELECT and MULTI_SELECT: options. */
  settings?: Record<string, unknown>;
};

export type Business = {
  id: string;
  name: string;
  slug: string;
  configs: Configs;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type BusinessChange = {
  name?: string;
  slug?: string;
  configs?: Configs;
};

export type BusinessInput = {
  name: string;
  slug?: string;
  configs?: Configs;
};

export type BusinessPage = {
  items: ListedBusiness[];
  cursor: string | null;
};

export type CategoryCount = {
  category: string;
  /** How many products are in it; 10000 stands for that many or more. */
  count: number;
};

export type CategoryCountPage = {
  items: CategoryCount[];
  cursor: string | null;
};

export type Charge = {
  id: string;
  status: "PAID" | "FAILED";
  /** Minor units (cents). */
  amount: number;
  currency: string;
  /** Unix time in seconds. */
  paidUntil: number;
  /** Unix time in seconds. */
  createdAt: number;
};

export type CheckoutInput = {
  /** Default: the client's. */
  businessId?: string;
  market: string;
  currency?: string | null;
  paymentMethod: "CREDIT_CARD" | "STRIPE" | "CARD_PROVIDER" | "CASH" | "FREE";
  shippingMethodId?: string | null;
  items?: ItemInput[];
  lines?: ItemInput[];
  /** Custom fields, such as the shipping address: `{id, type, value}`. At most 32 KB in all. */
  blocks?: unknown[];
  promoCode?: string | null;
  quoteId?: string | null;
  email?: string | null;
  returnUrl?: string | null;
  cancelUrl?: string | null;
};

export type CheckoutResult = {
  orderId: string;
  /** Send the customer here to pay. */
  checkoutUrl?: string;
  /** COMPLETED: nothing is to be paid. PENDING: paid in cash. */
  status?: string;
};

export type Collection = {
  id: string;
  businessId: string;
  name: string;
  slug: string;
  description: string;
  /** NEWSLETTER makes it a newsletter. */
  type: string;
  blocks: BlockDefinition[];
  statuses: StatusEntry[];
  /** Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list. */
  scheduled?: ScheduledStatus[];
  plans: Plan[];
  settings: CollectionSettings;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type CollectionChanges = {
  name?: string;
  slug?: string;
  description?: string;
  /** NEWSLETTER makes it a newsletter. */
  type?: string;
  blocks?: BlockDefinition[];
  statuses?: StatusInput[];
  /** Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`. */
  scheduled?: StatusInput[];
  plans?: Plan[];
  settings?: CollectionSettings;
};

export type CollectionInput = {
  name: string;
  slug?: string;
  description?: string;
  /** NEWSLETTER makes it a newsletter. */
  type?: string;
  blocks?: BlockDefinition[];
  statuses?: StatusInput[];
  /** Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`. */
  scheduled?: StatusInput[];
  plans?: Plan[];
  settings?: CollectionSettings;
  /** Short for `statuses` with this one entry. */
  status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
};

export type CollectionPage = {
  items: ListedCollection[];
  cursor: string | null;
};

export type CollectionSettings = {
  /** Newsletters: what happens to a mail of which nobody knows whether it went out. */
  onUnknown?: "RETRY" | "HOLD";
  /** Newsletters: a subscription is PENDING until its owner confirms by mail. */
  doubleOptIn?: boolean;
  fromName?: string;
  replyTo?: string;
};

export type Configs = {
  markets?: Market[];
  shippingMethods?: ShippingMethod[];
  paymentProvider?: PaymentProvider;
  orderBlocks?: Record<string, unknown>[];
  email?: {
    fromName?: string;
    replyTo?: string;
  };
  profile?: {
    legalName?: string;
    address?: Address;
    /** Shown to members only. */
    taxId?: string;
    /** A name of the IANA database. */
    timeZone?: string;
  };
};

export type ConfirmInput = {
  /** From the link in a mail. */
  token: string;
};

export type Consent = {
  subscriptionId: string;
  email: string;
  /** DOUBLE_OPT_IN, SUBSCRIBE, PAYMENT, or what a member has stated. */
  source: string;
  /** Unix time in seconds. */
  at: number;
  address: string | null;
  text: string | null;
  userId: string | null;
};

export type Customer = {
  id: string;
  businessId: string;
  userId: string | null;
  email: string | null;
  name: string;
  phone: string | null;
  addresses: Address[];
  tags: string[];
  note: string;
  consent: {
    source: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type CustomerInput = {
  email?: string | null;
  name?: string;
  phone?: string | null;
  addresses?: Address[];
  tags?: string[];
  note?: string;
  consent?: {
    source: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
};

export type CustomerPage = {
  items: ListedCustomer[];
  cursor: string | null;
};

export type DeleteAccountInput = {
  /** Not needed within ten minutes of a log-in, and by guests. */
  password?: string;
};

export type DeletedAccount = {
  success: boolean;
  /** Tells at `GET /v1/users/erasures/{id}` how far it has come. */
  erasureId: string;
};

export type Delivery = {
  subscriptionId: string;
  email: string;
  /** PENDING, ATTEMPTING, SENT, FAILED, SKIPPED, UNKNOWN */
  status: string;
  attempts: number;
  error: string | null;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type DeliveryPage = {
  items: Delivery[];
  cursor: string | null;
};

export type Entry = {
  id: string;
  businessId: string;
  /** collection:<collectionId>, order:<orderId> or reservation:<reservationId>. */
  owner: string;
  locale: string;
  blocks: Block[];
  statuses: StatusEntry[];
  /** Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list. */
  scheduled?: ScheduledStatus[];
  /** Members only: there is a draft beside the public record. */
  hasDraft?: boolean;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type EntryBlock = {
  id: string;
  type?: "TEXT" | "NUMBER" | "BOOLEAN" | "DATE" | "RELATIONSHIP" | "GEO_LOCATION" | "MEDIA" | "SELECT" | "MULTI_SELECT";
  label?: string;
  required?: boolean;
  /** TEXT: minLength, maxLength, variant (PLAIN or HTML). NUMBER: min, max, integer. RELATIONSHIP: targetType (any record of the business without it), many. SELECT and MULTI_SELECT: options. */
  settings?: Record<string, unknown>;
  /** TEXT: a string, or an object of strings by locale. NUMBER: a number. BOOLEAN: a boolean. DATE: Unix seconds. RELATIONSHIP: an id, or ids with settings.many. GEO_LOCATION: {latitude, longitude}. MEDIA: a media item, the id of one in the media library, or an array of them. SELECT: an option. MULTI_SELECT: options. Null: empty. */
  value?: unknown;
};

export type EntryChanges = {
  /** The id or the slug. */
  collectionId?: string;
  /** collection:<collectionId>, order:<orderId> or reservation:<reservationId>. */
  owner?: string;
  locale?: string;
  blocks?: EntryBlock[];
  statuses?: StatusInput[];
  /** Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`. */
  scheduled?: StatusInput[];
};

export type EntryInput = {
  /** The id or the slug. */
  collectionId?: string;
  /** collection:<collectionId>, order:<orderId> or reservation:<reservationId>. */
  owner?: string;
  locale?: string;
  blocks?: EntryBlock[];
  statuses?: StatusInput[];
  /** Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`. */
  scheduled?: StatusInput[];
  /** Short for `statuses` with this one entry. */
  status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
};

export type EntryPage = {
  items: ListedEntry[];
  cursor: string | null;
};

export type Erasure = {
  id: string;
  status: "RUNNING" | "DONE";
  report: ErasureReport;
  /** Unix time in seconds. */
  createdAt: number;
  completedAt: number | null;
  businessId: string;
  /** The id that was named. */
  subject: string;
  requestedBy: string | null;
};

export type ErasurePage = {
  items: Erasure[];
  cursor: string | null;
};

export type ErasureReport = {
  erased: {
    /** Kind of the records. */
    what: string;
    count: number;
  }[];
  kept: {
    /** Kind of the records. */
    what: string;
    count: number;
    /** ACCOUNTING: figures without name and address. ORDER_OPEN, PAYMENT_OPEN: the same, and not finished yet. MEMBER: a role in the team. PAYMENT_PROVIDER: what the provider holds itself. */
    reason: "ACCOUNTING" | "ORDER_OPEN" | "PAYMENT_OPEN" | "MEMBER" | "PAYMENT_PROVIDER";
  }[];
};

export type ErrorAnswer = {
  error: string;
  message: string;
  details: {
    field: string;
    error: string;
    message: string;
  }[];
  /** The same once more, when there are any. */
  validationErrors?: {
    field: string;
    error: string;
  }[];
  /** On 500: quote it when you report the error. */
  requestId?: string;
};

export type Event = {
  id: string;
  type: string;
  businessId: string;
  /** The kind of the record and its id. */
  entity: string;
  actor: {
    type: "USER" | "API_KEY" | "SYSTEM";
    userId?: string;
    keyId?: string;
    /** The `x-request-id` of the request that caused it. */
    requestId?: string;
  };
  /** Grows by one with each event of the entity. */
  sequence: number;
  /** The record after the change, as a reader with full rights sees it. */
  data: unknown;
  changes: Record<string, unknown> | null;
  /** Unix time in seconds. */
  createdAt: number;
};

export type EventPage = {
  items: Event[];
  cursor: string | null;
};

export type ForgotInput = {
  email: string;
  reserveDomain?: string;
};

export type GenerateInput = {
  prompt: string;
  blocks: BlockDefinition[];
};

export type GeneratedBlocks = {
  blocks: Block[];
};

export type Import = {
  id: string;
  businessId: string;
  type: "products" | "customers" | "subscribers" | "entries" | "business";
  /** What the file was recognised as. */
  format: string;
  dryRun: boolean;
  status: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  fileName: string;
  /** Bytes. */
  size: number;
  /** The share of the file that is done, from 0 to 1. */
  progress: number;
  /** Rows that were read. */
  rows: number;
  /** Records that are new. */
  created: number;
  /** Records that have changed. */
  updated: number;
  /** Records that were like that already. */
  unchanged: number;
  /** Records that are left out on purpose, such as deleted ones. */
  skipped: number;
  /** Records with errors: nothing of them was written. */
  failed: number;
  /** Errors in all. */
  errorCount: number;
  /** The first ones; all are at `/errors`. */
  errors: ImportError[];
  /** Pictures that are named by address are fetched afterwards. */
  pictures: {
    waiting: number;
    fetched: number;
    failed: number;
  };
  /** What else is worth knowing, such as columns that are not taken. */
  notes: string[];
  error: string | null;
  userId: string;
  /** Unix time in seconds. */
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

export type ImportError = {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  /** The column. */
  field: string;
  error: string;
  message: string;
};

export type ImportErrorPage = {
  items: ImportError[];
  cursor: string | null;
};

export type ImportPage = {
  items: ListedImport[];
  cursor: string | null;
};

export type IntervalSales = {
  /** When the interval begins, in the time zone of the business. */
  at: number;
  currency: string;
  /** Without cancelled ones. */
  orders: number;
  /** The sum of their totals, in minor units. */
  sales: number;
  /** What of it went back. */
  refunds: number;
};

export type Inventory = {
  /** False: stock is unlimited. */
  tracked: boolean;
  quantity: number;
  lowStockThreshold?: number;
};

export type InventoryInput = {
  /** True unless said otherwise. */
  tracked?: boolean;
  quantity?: number;
  lowStockThreshold?: number | null;
};

export type Invitation = {
  id: string;
  businessId: string;
  email: string;
  roleIds: string[];
  /** A user id. */
  invitedBy: string;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  expiresAt: number;
};

export type InvitationAnswer = {
  /** From the mail. */
  token: string;
  action: "ACCEPT" | "DECLINE";
};

export type InvitationInput = {
  email: string;
  roleIds: string[];
};

export type InvitationPage = {
  items: Invitation[];
  cursor: string | null;
};

export type ItemInput = {
  type?: "PRODUCT_VARIANT";
  productId: string;
  variantId: string;
  quantity: number;
};

export type LargeUpload = {
  id: string;
  status: "UPLOADING" | "CHECKING" | "DONE" | "FAILED";
  fileName: string;
  size: number;
  /** Bytes of each part but the last. */
  partSize: number;
  url: string | null;
  /** To be sent with each part. */
  headers: Record<string, string>;
  parts: {
    number: number;
    size: number;
    /** Takes the bytes of this part in a PUT. */
    url: string;
    /** It is there and need not be sent again. */
    isStored: boolean;
  }[];
  media?: MediaItem;
  /** Why it failed. */
  problem?: string;
  /** Unix time in seconds. */
  createdAt: number;
};

export type LargeUploadInput = {
  fileName: string;
  /** Bytes. */
  size: number;
  /** Not believed: the content tells. */
  mimeType?: string;
  /** False: all parts come through the service, also where the store could take them itself. */
  direct?: boolean;
};

export type LineInput = {
  type?: "PRODUCT_VARIANT";
  productId: string;
  variantId: string;
  quantity: number;
  /** Minor units (cents). */
  unitPrice?: number;
  /** Minor units (cents). */
  totalPrice?: number;
};

export type ListedBusiness = {
  id: string;
  name: string;
  slug: string;
  configs: Configs;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedCollection = {
  id: string;
  businessId: string;
  name: string;
  slug: string;
  description: string;
  /** NEWSLETTER makes it a newsletter. */
  type: string;
  blocks: BlockDefinition[];
  statuses: StatusEntry[];
  /** Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list. */
  scheduled?: ScheduledStatus[];
  plans: Plan[];
  settings: CollectionSettings;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedCustomer = {
  id: string;
  businessId: string;
  userId: string | null;
  email: string | null;
  name: string;
  phone: string | null;
  addresses: Address[];
  tags: string[];
  note: string;
  consent: {
    source: string;
    /** Unix time in seconds. */
    at: number;
  } | null;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedEntry = {
  id: string;
  businessId: string;
  /** collection:<collectionId>, order:<orderId> or reservation:<reservationId>. */
  owner: string;
  locale: string;
  blocks: Block[];
  statuses: StatusEntry[];
  /** Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list. */
  scheduled?: ScheduledStatus[];
  /** Members only: there is a draft beside the public record. */
  hasDraft?: boolean;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedImport = {
  id: string;
  businessId: string;
  type: "products" | "customers" | "subscribers" | "entries" | "business";
  /** What the file was recognised as. */
  format: string;
  dryRun: boolean;
  status: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  fileName: string;
  /** Bytes. */
  size: number;
  /** The share of the file that is done, from 0 to 1. */
  progress: number;
  /** Rows that were read. */
  rows: number;
  /** Records that are new. */
  created: number;
  /** Records that have changed. */
  updated: number;
  /** Records that were like that already. */
  unchanged: number;
  /** Records that are left out on purpose, such as deleted ones. */
  skipped: number;
  /** Records with errors: nothing of them was written. */
  failed: number;
  /** Errors in all. */
  errorCount: number;
  /** What else is worth knowing, such as columns that are not taken. */
  notes: string[];
  error: string | null;
  userId: string;
  /** Unix time in seconds. */
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

export type ListedProduct = {
  id: string;
  businessId: string;
  name: string;
  slug: string;
  description: string;
  category: string;
  gallery: Media[];
  variants: Variant[];
  statuses: StatusEntry[];
  /** Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list. */
  scheduled?: ScheduledStatus[];
  /** Members only: there is a draft beside the public record. */
  hasDraft?: boolean;
  blocks: Block[];
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedRelease = {
  id: string;
  businessId: string;
  name: string;
  status: "SCHEDULED" | "PUBLISHED" | "FAILED" | "CANCELLED";
  /** Unix time in seconds. */
  at: number;
  itemCount: number;
  failure: {
    item: string | null;
    message: string;
  } | null;
  publishedAt: number | null;
  userId: string | null;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedRole = {
  id: string;
  businessId: string;
  name: string;
  permissions: string[];
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type ListedSubscription = {
  id: string;
  /** collection:<collectionId> */
  entity: string;
  email: string;
  planId: string;
  /** PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED, BOUNCED */
  status: string;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For `If-Match`, as the header of a single read. */
  etag: string;
};

export type LoginInput = {
  provider: string;
  email?: string;
  password?: string;
  /** From the identity provider's redirect. */
  code?: string;
  /** From the identity provider's redirect, beside `code`. */
  state?: string;
  originUrl?: string;
  phoneNumber?: string | null;
  /** From the invitation, for a first login or registration while sign-up is closed. */
  invitationToken?: string;
};

export type LoginUrl = {
  url: string;
};

export type LogoutInput = {
  provider?: string;
  /** An access or refresh token; without it, the presented one. */
  token?: string;
  originUrl?: string;
};

export type Market = {
  id: string;
  name?: string;
  currency: string;
  taxMode?: "EXCLUSIVE" | "INCLUSIVE";
  /** Basis points. */
  taxBps?: number;
  paymentMethods?: {
    method: "CREDIT_CARD" | "CASH" | "FREE";
  }[];
};

export type MarketPage = {
  items: Market[];
  cursor: string | null;
};

export type MarketSales = {
  market: string;
  currency: string;
  /** Without cancelled ones. */
  orders: number;
  /** The sum of their totals, in minor units. */
  sales: number;
  /** What of it went back. */
  refunds: number;
};

export type Media = {
  id: string;
  url: string;
  mimeType: string;
  fileName?: string;
  /** Bytes that were uploaded. */
  size?: number;
  width?: number;
  height?: number;
  /** SHA-256 of what was uploaded. */
  hash?: string;
  blurhash?: string;
  title?: string;
  /** A string, or an object of strings by locale. */
  alt?: unknown;
  focalPoint?: {
    x: number;
    y: number;
  };
  resolutions?: MediaResolutions;
};

export type MediaChange = {
  title?: string;
  alt?: string | Record<string, string>;
  focalPoint?: {
    x: number;
    y: number;
  };
};

export type MediaInput = {
  id?: string;
  /** May be left out when `id` names a file of the media library. */
  url?: string;
  mimeType?: string;
};

export type MediaItem = {
  id: string;
  url: string;
  mimeType: string;
  fileName?: string;
  /** Bytes that were uploaded. */
  size?: number;
  width?: number;
  height?: number;
  /** SHA-256 of what was uploaded. */
  hash?: string;
  blurhash?: string;
  title?: string;
  /** A string, or an object of strings by locale. */
  alt?: unknown;
  focalPoint?: {
    x: number;
    y: number;
  };
  resolutions?: MediaResolutions;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type MediaPage = {
  items: MediaItem[];
  cursor: string | null;
};

export type MediaResolutions = {
  original: {
    url: string;
    width?: number;
    height?: number;
    /** Bytes. */
    size: number;
  };
  large?: {
    url: string;
    width?: number;
    height?: number;
    /** Bytes. */
    size: number;
  };
  medium?: {
    url: string;
    width?: number;
    height?: number;
    /** Bytes. */
    size: number;
  };
  small?: {
    url: string;
    width?: number;
    height?: number;
    /** Bytes. */
    size: number;
  };
  thumbnail?: {
    url: string;
    width?: number;
    height?: number;
    /** Bytes. */
    size: number;
  };
};

export type MediaUses = {
  /** The kind and the id of each record that uses the file; the first 100. */
  entities: string[];
};

export type Misfit = {
  entryId: string;
  errors: {
    field: string;
    error: string;
    message: string;
  }[];
};

export type MisfitPage = {
  items: Misfit[];
  cursor: string | null;
};

export type NewWebhook = {
  id: string;
  businessId: string;
  url: string;
  events: string[];
  description: string;
  enabled: boolean;
  disabledReason: string | null;
  failingSince: number | null;
  payloadVersion: number;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** What its calls are signed with. Shown this once. */
  secret: string;
};

export type Order = {
  id: string;
  businessId: string;
  number: number;
  customerId: string;
  email: string | null;
  /** What has arrived. */
  paid: number;
  /** What was given back of it, or is on its way back. */
  refunded: number;
  market: string;
  currency: string;
  lines: OrderLine[];
  /** Minor units (cents). */
  subtotal: number;
  /** Minor units (cents). */
  tax: number;
  /** Basis points. */
  taxBps: number;
  /** Minor units (cents). */
  shipping: number;
  /** Minor units (cents). */
  discount: number;
  /** Minor units (cents). */
  total: number;
  promoCode: string | null;
  shippingMethodId: string | null;
  paymentMethod: string | null;
  tracking?: Tracking;
  blocks: Block[];
  statuses: StatusEntry[];
  paymentStatus: StatusEntry[];
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** In lists: what a GET of this order has in `ETag`. */
  etag?: string;
};

export type OrderInput = {
  lines: LineInput[];
  /** Minor units (cents). */
  subtotal?: number;
  /** Minor units (cents). */
  tax?: number;
  /** Minor units (cents). */
  shipping?: number;
  /** Minor units (cents). */
  discount?: number;
  /** Minor units (cents). */
  total?: number;
  shippingMethodId?: string | null;
  promoCode?: string | null;
  currency?: string | null;
  paymentMethod?: "CREDIT_CARD" | "STRIPE" | "CARD_PROVIDER" | "CASH" | "FREE" | null;
  email?: string | null;
  tracking?: Tracking | null;
  /** Custom fields, such as the shipping address: `{id, type, value}`. At most 32 KB in all. */
  blocks?: unknown[];
  statuses?: StatusInput[];
  paymentStatus?: StatusInput[];
  customerId: string;
  market: string;
  /** The same as `statuses` with one entry. */
  status?: string;
};

export type OrderLine = {
  type: string;
  productId: string;
  variantId: string;
  quantity: number;
  /** Minor units (cents). */
  unitPrice: number;
  /** Minor units (cents). */
  totalPrice: number;
};

export type OrderPage = {
  items: Order[];
  cursor: string | null;
};

export type OrderUpdate = {
  lines?: LineInput[];
  /** Minor units (cents). */
  subtotal?: number;
  /** Minor units (cents). */
  tax?: number;
  /** Minor units (cents). */
  shipping?: number;
  /** Minor units (cents). */
  discount?: number;
  /** Minor units (cents). */
  total?: number;
  shippingMethodId?: string | null;
  promoCode?: string | null;
  currency?: string | null;
  paymentMethod?: "CREDIT_CARD" | "STRIPE" | "CARD_PROVIDER" | "CASH" | "FREE" | null;
  email?: string | null;
  tracking?: Tracking | null;
  /** Custom fields, such as the shipping address: `{id, type, value}`. At most 32 KB in all. */
  blocks?: unknown[];
  statuses?: StatusInput[];
  paymentStatus?: StatusInput[];
  id: string;
  customerId?: string;
  market?: string;
};

export type PaymentProvider = {
  type: "SANDBOX" | "STRIPE";
  publicKey?: string;
  /** Read as `****` and the last 4. Sent back like that it is kept. */
  secretKey?: string;
  /** Read as `****` and the last 4. Sent back like that it is kept. */
  webhookSecret?: string;
};

export type PaymentStatusChange = {
  id?: string;
  changedBy?: "USER" | "SYSTEM";
  userId?: string;
  /** Unix time in seconds. */
  timestamp?: number;
  status?: string;
  paymentStatus?: string;
};

export type PhoneConfirmInput = {
  /** E.164. */
  phoneNumber: string;
  code: string;
};

export type PhoneInput = {
  /** E.164. */
  phoneNumber: string;
};

export type Plan = {
  id: string;
  name: string;
  description?: string;
  price?: {
    /** Minor units (cents). */
    amount: number;
    currency: string;
    interval?: "ONCE" | "WEEKLY" | "MONTHLY" | "YEARLY";
  };
  features?: string[];
};

export type PortalLink = {
  /** Where the reader changes their card, sees what was paid and cancels. For them alone. */
  url: string;
};

export type Preview = {
  subject: string;
  html: string;
  text: string;
};

export type PreviewInput = {
  /** Instead of those that are stored. */
  blocks?: EntryBlock[];
};

export type PreviewLink = {
  url: string;
  /** Unix time in seconds. */
  expiresAt: number;
};

export type Product = {
  id: string;
  businessId: string;
  name: string;
  slug: string;
  description: string;
  category: string;
  gallery: Media[];
  variants: Variant[];
  statuses: StatusEntry[];
  /** Members only: statuses that join `statuses` at their `timestamp`. Sent in a PUT it replaces the list. */
  scheduled?: ScheduledStatus[];
  /** Members only: there is a draft beside the public record. */
  hasDraft?: boolean;
  blocks: Block[];
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type ProductChanges = {
  name?: string;
  slug?: string;
  description?: string;
  category?: string;
  gallery?: MediaInput[];
  variants?: VariantInput[];
  statuses?: StatusInput[];
  /** Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`. */
  scheduled?: StatusInput[];
  blocks?: Block[];
};

export type ProductInput = {
  name: string;
  slug?: string;
  description?: string;
  category?: string;
  gallery?: MediaInput[];
  variants?: VariantInput[];
  statuses?: StatusInput[];
  /** Those that are left out are cancelled. A status with a `timestamp` ahead may be added here or in `statuses`. */
  scheduled?: StatusInput[];
  blocks?: Block[];
  /** Short for `statuses` with this one entry. */
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
};

export type ProductPage = {
  items: ListedProduct[];
  cursor: string | null;
};

export type ProductSales = {
  productId: string;
  name: string;
  currency: string;
  quantity: number;
  /** Before discounts on the order. */
  sales: number;
};

export type PromoCode = {
  id: string;
  businessId: string;
  code: string;
  discounts: Record<string, unknown>[];
  conditions: Record<string, unknown>[];
  statuses: StatusEntry[];
  /** Orders that hold a use of it. */
  uses: number;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** In lists: what a GET of this code has in `ETag`. */
  etag?: string;
};

export type PromoCodePage = {
  items: PromoCode[];
  cursor: string | null;
};

export type PromoInput = {
  code: string;
  /** ITEMS_PERCENTAGE {bps}, ITEMS_FIXED {amount} or SHIPPING_PERCENTAGE {bps}; `marketId` limits one. */
  discounts: {
    type: string;
  }[];
  /** PRODUCTS [product ids], MIN_ORDER_AMOUNT amount, DATE_RANGE {start?, end?}, MAX_USES n, MAX_USES_PER_USER n. */
  conditions?: {
    type: string;
  }[];
  statuses?: StatusInput[];
  /** The same as `statuses` with one entry. */
  status?: string;
};

export type PromoUpdate = {
  code?: string;
  /** ITEMS_PERCENTAGE {bps}, ITEMS_FIXED {amount} or SHIPPING_PERCENTAGE {bps}; `marketId` limits one. */
  discounts?: {
    type: string;
  }[];
  /** PRODUCTS [product ids], MIN_ORDER_AMOUNT amount, DATE_RANGE {start?, end?}, MAX_USES n, MAX_USES_PER_USER n. */
  conditions?: {
    type: string;
  }[];
  statuses?: StatusInput[];
};

export type PublishInput = {
  /** Unix time in seconds; now when it is left out. */
  at?: number;
};

export type Quote = {
  id: string;
  market: string;
  lines: OrderLine[];
  /** Minor units (cents). */
  subtotal: number;
  /** Minor units (cents). */
  tax: number;
  /** Basis points. */
  taxBps: number;
  /** Minor units (cents). */
  shipping: number;
  /** Minor units (cents). */
  discount: number;
  /** Minor units (cents). */
  total: number;
  currency: string;
  promoCode: string | null;
  /** Unix time in seconds. */
  expiresAt: number;
};

export type QuoteInput = {
  /** Default: the client's. */
  businessId?: string;
  market: string;
  currency?: string | null;
  paymentMethod?: "CREDIT_CARD" | "STRIPE" | "CARD_PROVIDER" | "CASH" | "FREE" | null;
  lines?: ItemInput[];
  items?: ItemInput[];
  shippingMethodId?: string | null;
  promoCode?: string | null;
};

export type RefreshInput = {
  provider?: string;
  refreshToken: string;
};

export type RefundInput = {
  amount?: number;
  reason?: string;
};

export type RegisterInput = {
  provider?: string;
  email: string;
  password: string;
  reserveDomain?: string;
  name?: string;
  firstName?: string;
  lastName?: string;
  /** From the invitation, for a first login or registration while sign-up is closed. */
  invitationToken?: string;
};

export type Release = {
  id: string;
  businessId: string;
  name: string;
  status: "SCHEDULED" | "PUBLISHED" | "FAILED" | "CANCELLED";
  /** Unix time in seconds. */
  at: number;
  itemCount: number;
  failure: {
    item: string | null;
    message: string;
  } | null;
  publishedAt: number | null;
  userId: string | null;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  items: string[];
};

export type ReleaseChanges = {
  name?: string;
  /** When; now when it is left out or has passed. */
  at?: number;
  /** Ids of entries, products and collections. */
  items?: string[];
};

export type ReleaseInput = {
  name: string;
  /** When; now when it is left out or has passed. */
  at?: number;
  /** Ids of entries, products and collections. */
  items: string[];
};

export type ReleasePage = {
  items: ListedRelease[];
  cursor: string | null;
};

export type ReplayInput = {
  /** Unix time in seconds. */
  from: number;
  /** Unix time in seconds. */
  to: number;
};

export type ResendInput = {
  kind?: "RECEIVED" | "PAID" | "SHIPPED" | "CANCELLED" | "REFUNDED" | null;
};

export type Resent = {
  success: boolean;
  kind: "RECEIVED" | "PAID" | "SHIPPED" | "CANCELLED" | "REFUNDED";
  email: string;
};

export type ResetForgottenInput = {
  /** From the mail. */
  token: string;
  password: string;
};

export type ResetInput = {
  oldPassword: string;
  newPassword: string;
};

export type Role = {
  id: string;
  businessId: string;
  name: string;
  permissions: string[];
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type RoleChange = {
  name?: string;
  permissions?: ("ADMIN" | "CATALOG_WRITE" | "ORDER_READ" | "ORDER_WRITE" | "CONTENT_READ" | "CONTENT_WRITE" | "NEWSLETTER_SEND" | "SUBSCRIBER_READ" | "SUBSCRIBER_WRITE" | "CUSTOMER_READ" | "CUSTOMER_WRITE" | "PROMO_WRITE" | "MEDIA_WRITE" | "BUSINESS_WRITE")[];
};

export type RoleInput = {
  /** Default: the client's. */
  businessId?: string;
  name: string;
  permissions: ("ADMIN" | "CATALOG_WRITE" | "ORDER_READ" | "ORDER_WRITE" | "CONTENT_READ" | "CONTENT_WRITE" | "NEWSLETTER_SEND" | "SUBSCRIBER_READ" | "SUBSCRIBER_WRITE" | "CUSTOMER_READ" | "CUSTOMER_WRITE" | "PROMO_WRITE" | "MEDIA_WRITE" | "BUSINESS_WRITE")[];
};

export type RolePage = {
  items: ListedRole[];
  cursor: string | null;
};

export type Rotated = {
  /** What its calls are signed with. Shown this once. */
  secret: string;
  /** Until then calls are signed with the former secret too. */
  formerValidUntil: number;
};

export type SalesSum = {
  currency: string;
  /** Without cancelled ones. */
  orders: number;
  /** The sum of their totals, in minor units. */
  sales: number;
  /** What of it went back. */
  refunds: number;
  /** Sales of an order. */
  average: number;
};

export type ScheduledStatus = {
  id: string;
  status: string;
  changedBy: string;
  userId?: string;
  /** Unix time in seconds. */
  timestamp: number;
  /** Why it did not come about at its time. */
  error?: string;
};

export type SeenUser = {
  id: string;
  name?: string;
  email?: string;
  isConfirmed?: boolean;
  phoneNumbers?: string[];
  addresses?: Address[];
  roleIds: string[];
  roles: {
    id: string;
    businessId: string;
    name: string;
    permissions: string[];
  }[];
  apiTokens?: ApiToken[];
  businessUserConfigs?: {
    businessId: string;
    settings: Record<string, unknown>;
  }[];
  lifecycle?: {
    /** Unix time in seconds. */
    lastLoginAt?: number;
    onboardingCompleted: boolean;
  };
};

export type SeenUserPage = {
  items: SeenUser[];
  cursor: string | null;
};

export type Send = {
  id: string;
  entryId: string;
  /** SCHEDULED, SENDING, SENT, CANCELLED, FAILED */
  status: string;
  /** Unix time in seconds. */
  scheduledAt: number;
  recipients: number;
  total: number;
  sent: number;
  failed: number;
  /** Unsubscribed before their message was sent, or left out by a cancellation. */
  skipped: number;
  /** Nobody knows whether these arrived. */
  unknown: number;
  error: string | null;
  /** Unix time in seconds. */
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

export type SendInput = {
  scheduledAt?: number | null;
  /** Send it although it was sent before. */
  resend?: boolean;
};

export type SendPage = {
  items: Send[];
  cursor: string | null;
};

export type SendStarted = {
  id: string;
  entryId: string;
  /** SCHEDULED, SENDING, SENT, CANCELLED, FAILED */
  status: string;
  /** Unix time in seconds. */
  scheduledAt: number;
  recipients: number;
};

export type Session = {
  id: string;
  provider: string;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  lastUsedAt: number;
  expiresAt: number | null;
  /** The session of this call. */
  current: boolean;
};

export type SessionPage = {
  items: Session[];
  cursor: string | null;
};

export type SetRoleInput = {
  userId: string;
  roleId?: string | null;
  /** Instead of `roleId`: exactly these. */
  roleIds?: string[];
  /** Default: the client's. */
  businessId?: string;
};

export type ShippingMethod = {
  id: string;
  name?: string;
  type?: "SHIPPING" | "PICKUP";
  prices: {
    market: string;
    /** Minor units (cents). */
    amount: number;
    /** Minor units (cents). */
    freeAbove?: number;
  }[];
  taxable?: boolean;
  etaText?: string;
  countries?: string[];
};

export type Stats = {
  /** Unix time in seconds. */
  from: number;
  /** Unix time in seconds. */
  to: number;
  interval: "hour" | "day" | "week" | "month";
  timeZone: string;
  /** One for each currency. */
  totals: SalesSum[];
  /** Intervals in which something was sold, oldest first. */
  series: IntervalSales[];
  markets: MarketSales[];
  /** The 20 that sold for most. */
  products: ProductSales[];
  subscribers: {
    /** Now. */
    active: number;
    /** Who subscribed in this time and still does. */
    added: number;
  };
};

export type StatusChange = {
  id?: string;
  changedBy?: "USER" | "SYSTEM";
  userId?: string;
  /** Unix time in seconds. */
  timestamp?: number;
  status: string;
  tracking?: Tracking | null;
};

export type StatusEntry = {
  id: string;
  status: string;
  changedBy: string;
  userId?: string;
  /** Unix time in seconds. */
  timestamp: number;
};

export type StatusInput = {
  id?: string;
  status: string;
  changedBy?: "USER" | "SYSTEM";
  userId?: string;
  /** Unix time in seconds. */
  timestamp?: number;
};

export type StockChange = {
  change: number;
  /** After the change. */
  quantity: number;
  reason: "ORDER" | "CANCEL" | "ADJUST" | "SET";
  reference: string | null;
  userId: string | null;
  /** Unix time in seconds. */
  timestamp: number;
};

export type StockChangePage = {
  items: StockChange[];
  cursor: string | null;
};

export type SubscribeInput = {
  email: string;
  planId?: string;
  plan_id?: string;
  market?: string;
  /** For {{subscriber.name}}: one line, without a web address. */
  name?: string;
  returnUrl?: string;
  cancelUrl?: string;
};

export type Subscriber = {
  id: string;
  /** collection:<collectionId> */
  entity: string;
  email: string;
  planId: string;
  /** PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED, BOUNCED */
  status: string;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For {{subscriber.name}}. */
  name: string;
};

export type SubscriberChanges = {
  /** For {{subscriber.name}}: one line, without a web address. */
  name?: string;
  planId?: string;
  /** UNSUBSCRIBED ends the subscription. */
  status?: "PENDING" | "ACTIVE" | "PAST_DUE" | "UNSUBSCRIBED" | "BOUNCED";
  /** Of a plan that renews: true cancels it at the end of the period, false takes that back. */
  cancelAtPeriodEnd?: boolean;
};

export type SubscriberDetail = {
  id: string;
  /** collection:<collectionId> */
  entity: string;
  email: string;
  planId: string;
  /** PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED, BOUNCED */
  status: string;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
  /** For {{subscriber.name}}. */
  name: string;
  billing: Billing | null;
};

export type Subscription = {
  id: string;
  /** collection:<collectionId> */
  entity: string;
  email: string;
  planId: string;
  /** PENDING, ACTIVE, PAST_DUE, UNSUBSCRIBED, BOUNCED */
  status: string;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type SubscriptionPage = {
  items: ListedSubscription[];
  cursor: string | null;
};

export type Success = {
  success: boolean;
};

export type TestInput = {
  url: string;
};

export type TestResult = {
  /** Unix time in seconds. */
  at: number;
  status: number | null;
  durationMs: number;
  error: string | null;
  answer: string | null;
  success: boolean;
};

/** Where the parcel is. */
export type Tracking = {
  carrier?: string;
  number?: string;
  url?: string;
};

export type UnsubscribeInput = {
  /** From the link in a mail. */
  token: string;
};

export type UploadByUrl = {
  files: string[];
};

export type Uploaded = {
  items: MediaItem[];
};

export type User = {
  id: string;
  name: string;
  email?: string;
  isConfirmed: boolean;
  phoneNumbers: string[];
  addresses: Address[];
  roleIds: string[];
  roles: {
    id: string;
    businessId: string;
    name: string;
    permissions: string[];
  }[];
  apiTokens: ApiToken[];
  businessUserConfigs: {
    businessId: string;
    settings: Record<string, unknown>;
  }[];
  lifecycle: {
    /** Unix time in seconds. */
    lastLoginAt?: number;
    onboardingCompleted: boolean;
  };
};

export type UserChange = {
  name?: string;
  phoneNumbers?: string[];
  addresses?: Address[];
  apiTokens?: ApiTokenInput[];
  businessUserConfigs?: {
    businessId: string;
    /** 16 KB at most. */
    settings: Record<string, unknown>;
  }[];
  lifecycle?: {
    onboardingCompleted?: boolean;
  };
};

export type Variables = {
  variables: {
    name: string;
    description: string;
    example: string;
  }[];
};

export type Variant = {
  id: string;
  name: string;
  sku: string;
  attributes: {
    name: string;
    value: string;
  }[];
  pricing: {
    markets: {
      marketId: string;
      currency: string;
      /** Minor units (cents). */
      price: number;
      /** Minor units (cents). */
      compareAtPrice?: number;
    }[];
  };
  inventory: Inventory;
  gallery?: Media[];
};

export type VariantInput = {
  id?: string;
  name?: string;
  sku?: string;
  attributes?: {
    name: string;
    value: string;
  }[];
  pricing?: {
    markets?: {
      marketId: string;
      currency: string;
      /** Minor units (cents). */
      price: number;
      /** Minor units (cents). */
      compareAtPrice?: number;
    }[];
  };
  inventory?: InventoryInput;
  gallery?: MediaInput[];
};

export type Version = {
  /** The version of the record that the change made. */
  number: number;
  action: "CREATED" | "UPDATED" | "DRAFT_SAVED" | "PUBLISHED" | "RESTORED";
  /** A draft beside the public record; readers do not see it. */
  isDraft: boolean;
  restoredFrom: number | null;
  userId: string | null;
  keyId: string | null;
  userName: string | null;
  /** Fields that differ from the version before, 100 at most. */
  changed: string[];
  /** Unix time in seconds. */
  createdAt: number;
};

export type VersionDetail = {
  /** The version of the record that the change made. */
  number: number;
  action: "CREATED" | "UPDATED" | "DRAFT_SAVED" | "PUBLISHED" | "RESTORED";
  /** A draft beside the public record; readers do not see it. */
  isDraft: boolean;
  restoredFrom: number | null;
  userId: string | null;
  keyId: string | null;
  userName: string | null;
  /** Fields that differ from the version before, 100 at most. */
  changed: string[];
  /** Unix time in seconds. */
  createdAt: number;
  comparedWith: number | null;
  changes: {
    field: string;
    /** Absent: there was none. */
    before?: unknown;
    /** Absent: there is none any more. */
    after?: unknown;
    /** The values are too large to be shown together. */
    omitted?: true;
  }[];
  /** The record as it was. Of a product without quantities: stock has no versions. */
  document: Record<string, unknown>;
};

export type VersionPage = {
  items: Version[];
  cursor: string | null;
};

export type Webhook = {
  id: string;
  businessId: string;
  url: string;
  events: string[];
  description: string;
  enabled: boolean;
  disabledReason: string | null;
  failingSince: number | null;
  payloadVersion: number;
  /** Unix time in seconds. */
  createdAt: number;
  /** Unix time in seconds. */
  updatedAt: number;
};

export type WebhookAttempt = {
  /** Unix time in seconds. */
  at: number;
  status: number | null;
  durationMs: number;
  error: string | null;
  answer: string | null;
};

export type WebhookChange = {
  url?: string;
  events?: string[];
  description?: string;
  enabled?: boolean;
};

export type WebhookDelivery = {
  /** The id of the event. */
  id: string;
  type: string;
  entity: string;
  status: "PENDING" | "SUCCEEDED" | "FAILED";
  attempts: WebhookAttempt[];
  nextAttemptAt: number | null;
  /** Unix time in seconds. */
  createdAt: number;
};

export type WebhookDeliveryPage = {
  items: WebhookDelivery[];
  cursor: string | null;
};

export type WebhookInput = {
  url: string;
  events: string[];
  description?: string;
  enabled?: boolean;
};

export type WebhookPage = {
  items: Webhook[];
  cursor: string | null;
};

export type GetHealthResult = {
  status: string;
};

export type GetReadinessResult = {
  status: string;
};

export type ListBusinessesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListMarketsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListRolesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  /** Default: the client's. Null: left out. */
  businessId?: string | null;
};

export type ListCustomersQuery = {
  /** Part of a name, e-mail or phone number. */
  query?: string;
  /** Those who have all of these. */
  tags?: string[];
  userId?: string;
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListInvitationsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ConfirmEmailInput = {
  /** From the mail. */
  token: string;
};

export type ListSessionsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type GetJwksResult = {
  keys: Record<string, unknown>[];
};

export type GetLoginUrlQuery = {
  provider: string;
  originUrl: string;
  redirectUrl?: string;
};

export type SearchUsersQuery = {
  /** Part of a name or e-mail. */
  query?: string;
  /** Default: the client's. Null: left out. */
  businessId?: string | null;
  roleIds?: string[];
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListEventsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  /** Oldest first, from after this event on; `0`: from the beginning. Without it: newest first. */
  after?: string;
  types?: string[];
  entity?: string;
  /** A user id. */
  actor?: string;
  /** Unix time in seconds. */
  from?: number;
  /** Unix time in seconds. */
  to?: number;
};

export type ListAuditEntriesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  /** Oldest first, from after this event on; `0`: from the beginning. Without it: newest first. */
  after?: string;
  types?: string[];
  entity?: string;
  /** A user id. */
  actor?: string;
  /** Unix time in seconds. */
  from?: number;
  /** Unix time in seconds. */
  to?: number;
};

export type StreamEventsQuery = {
  /** Oldest first, from after this event on; `0`: from the beginning. Without it: newest first. */
  after?: string;
  types?: string[];
};

export type ListAccountEventsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListWebhooksQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListWebhookDeliveriesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  status?: "PENDING" | "SUCCEEDED" | "FAILED";
};

export type DeleteUploadedMediaQuery = {
  mediaId: string;
  /** Also when it is in use: it disappears from where it was. */
  force?: boolean;
};

export type ListMediaQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  /** Words of file name, title and alt, the last one may be unfinished. */
  query?: string;
  type?: "image" | "video" | "audio" | "document" | "IMAGE" | "VIDEO" | "AUDIO" | "DOCUMENT";
};

export type DeleteMediaQuery = {
  /** Also when it is in use: it disappears from where it was. */
  force?: boolean;
};

export type ListReleasesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  status?: "SCHEDULED" | "PUBLISHED" | "FAILED" | "CANCELLED";
};

export type ListProductsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  category?: string;
  /** Text search, best matches first. */
  query?: string;
  /** Products of any of these categories. */
  categoryIds?: string[];
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** Products in any of these statuses. */
  statuses?: ("DRAFT" | "ACTIVE" | "ARCHIVED")[];
  slug?: string;
  ids?: string[];
  /** Only those with a variant at or below its threshold. */
  lowStock?: boolean;
  /** Unix time in seconds. */
  createdAtFrom?: number;
  /** Unix time in seconds. */
  createdAtTo?: number;
  sort?: "newest" | "oldest" | "name" | "price" | "relevance";
  /** Another way to say `sort`. */
  sortField?: "createdAt" | "name" | "price" | "relevance";
  sortDirection?: "asc" | "desc" | "ASC" | "DESC";
  market?: string;
};

export type ListCategoriesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type UpdateProductQuery = {
  /** The draft beside the public record. */
  draft?: boolean;
};

export type ListStockChangesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListProductVersionsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type GetProductVersionQuery = {
  /** The version to compare with; else the one before it. */
  against?: number;
};

export type ListCollectionsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  /** NEWSLETTER makes it a newsletter. */
  type?: string;
  status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
  /** In any of these statuses. */
  statuses?: ("DRAFT" | "PUBLISHED" | "ARCHIVED")[];
  ids?: string[];
  /** A part of the name, in any case. */
  name?: string;
  /** Unix time in seconds. */
  createdAtFrom?: number;
  /** Unix time in seconds. */
  createdAtTo?: number;
  slug?: string;
};

export type DeleteCollectionQuery = {
  /** Delete its entries with it. */
  cascade?: boolean;
};

export type ValidateCollectionQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListEntriesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  /** The id or the slug. */
  collectionId?: string;
  /** collection:<collectionId>, order:<orderId> or reservation:<reservationId>. */
  owner?: string;
  locale?: string;
  status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
  /** In any of these statuses. */
  statuses?: ("DRAFT" | "PUBLISHED" | "ARCHIVED")[];
  /** Unix time in seconds. */
  createdAtFrom?: number;
  /** Unix time in seconds. */
  createdAtTo?: number;
  /** Words of the texts. */
  query?: string;
  ids?: string[];
  /** createdAt, updatedAt or the id of a block. A leading - means descending. */
  sort?: string;
  order?: "asc" | "desc";
  /** createdAt, updatedAt or the id of a block. A leading - means descending. */
  sortField?: string;
  sortDirection?: "asc" | "desc" | "ASC" | "DESC";
  /** Entries with this value in the block of this id. Several blocks: all must fit. One block twice: either. */
  filter?: Record<string, unknown>;
};

export type UpdateEntryQuery = {
  /** The draft beside the public record. */
  draft?: boolean;
};

export type ListEntryVersionsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type GetEntryVersionQuery = {
  /** The version to compare with; else the one before it. */
  against?: number;
};

export type ListPromoCodesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  status?: "DRAFT" | "ACTIVE" | "ARCHIVED";
  /** The beginning of the code. */
  query?: string;
};

export type ListOrdersQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  status?: "PENDING" | "PROCESSING" | "SHIPPED" | "DELIVERED" | "CANCELLED" | "REFUNDED";
  statuses?: ("PENDING" | "PROCESSING" | "SHIPPED" | "DELIVERED" | "CANCELLED" | "REFUNDED")[];
  paymentStatus?: "PENDING" | "PAID" | "FAILED" | "REFUNDED" | "PARTIALLY_REFUNDED";
  customerId?: string;
  /** The same as `customerId`. */
  userId?: string;
  /** An order's number, or the beginning of its customer's e-mail. */
  query?: string;
  /** Unix time in seconds. */
  createdFrom?: number;
  /** Unix time in seconds. */
  createdTo?: number;
  /** The same as `createdFrom`. */
  createdAtFrom?: number;
  /** The same as `createdTo`. */
  createdAtTo?: number;
  sortField?: "createdAt";
  /** Newest first unless asc. */
  sortDirection?: "desc" | "asc" | "DESC" | "ASC";
};

export type ListSubscribersQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  status?: "PENDING" | "ACTIVE" | "PAST_DUE" | "UNSUBSCRIBED" | "BOUNCED";
  planId?: string;
  /** The whole address. */
  email?: string;
  /** A part of the address. */
  query?: string;
};

export type GetUnsubscribeQuery = {
  /** From the link in a mail. */
  token: string;
};

export type ListSendsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ListDeliveriesQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  status?: "PENDING" | "ATTEMPTING" | "SENT" | "FAILED" | "SKIPPED" | "UNKNOWN";
};

export type SendTestMailInput = {
  email: string;
};

export type GetStatsQuery = {
  /** Unix time in seconds. */
  from?: number;
  /** Unix time in seconds. */
  to?: number;
  interval?: "hour" | "day" | "week" | "month";
};

export type ListImportsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
  type?: "products" | "customers" | "subscribers" | "entries" | "business";
};

export type CreateImportQuery = {
  /** What the file holds. `business`: an export of a whole business, for an empty one. */
  type: "products" | "customers" | "subscribers" | "entries" | "business";
  /** Tells what would happen and writes nothing. */
  dryRun?: boolean;
  /** The market of prices that name none; the only one by default. */
  market?: string;
  /** Where entries go, or the newsletter of subscribers. */
  collectionId?: string;
  /** The plan of subscribers that name none; the first one by default. */
  planId?: string;
  /** Where and how subscribers agreed, when the file does not say it. */
  consent?: string;
  /** A file of the media library, instead of a body. */
  mediaId?: string;
  fileName?: string;
};

export type ListImportErrorsQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};

export type ExportRecordsQuery = {
  type: "products" | "customers" | "subscribers" | "entries";
  format?: "csv" | "ndjson";
  /** Entries, or subscribers, of this collection only. */
  collectionId?: string;
};

export type ListErasuresQuery = {
  /** Page size. Above 100 is taken as 100. */
  limit?: number;
};
